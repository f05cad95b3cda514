// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tutti/collective.hpp>

#include "elements.hpp"
#include "random.hpp"

namespace soak {

enum class collective : std::uint8_t {
    reduce, all_reduce, inclusive_scan, exclusive_scan, scan_reduce, reduce_scatter, broadcast, all_gather, gather,
    scatter, barrier
};
inline constexpr std::array<std::string_view, 11> names_of_collectives{
    "reduce", "all_reduce", "inclusive_scan", "exclusive_scan", "scan_reduce", "reduce_scatter", "broadcast",
    "all_gather", "gather", "scatter", "barrier"};

enum class element_type : std::uint8_t { real, integer, complex, matrix, text };

/// What a call says of its operator.
enum class operator_kind : std::uint8_t { plain, commutative, with_identity, standard };

enum class form : std::uint8_t { blocking, plan, async };

/// One collective call, as all ranks draw it from one seed.
struct call {
    std::uint64_t seed = 0;  ///< of operands and of the algorithm's parameters
    int size = 1;
    collective what = collective::reduce;
    element_type of = element_type::real;
    std::size_t operation = 0;  ///< of `element<T>::operations`
    operator_kind kind = operator_kind::plain;
    bool in_place = false;
    bool names_algorithm = false;
    form how = form::blocking;
    int runs = 1;  ///< of a plan
    int root = 0;
    bool gives_counts = false;
    std::size_t length = 0;            ///< where every rank has the same
    std::vector<std::size_t> counts{}; ///< of collectives that divide the vector, also if they are not given

    [[nodiscard]] bool divides() const {
        return what == collective::reduce_scatter || what == collective::all_gather || what == collective::gather ||
               what == collective::scatter;
    }
    [[nodiscard]] bool has_operator() const { return what <= collective::reduce_scatter; }
    [[nodiscard]] bool is_rooted() const {
        return what == collective::reduce || what == collective::broadcast || what == collective::gather ||
               what == collective::scatter;
    }
    [[nodiscard]] std::size_t total() const {
        std::size_t result = 0;
        for (auto const each : counts) { result += each; }
        return result;
    }
    [[nodiscard]] std::size_t first_of(int rank) const {
        std::size_t result = 0;
        for (int before = 0; before != rank; ++before) { result += counts[static_cast<std::size_t>(before)]; }
        return result;
    }
    [[nodiscard]] std::size_t count_of(int rank) const { return counts[static_cast<std::size_t>(rank)]; }
};

/// Calls `use` with a value of the call's element type.
template <class Use>
auto with_element(element_type of, Use use) {
    switch (of) {
        case element_type::real: return use(double{});
        case element_type::integer: return use(int{});
        case element_type::complex: return use(std::complex<double>{});
        case element_type::matrix: return use(matrix{});
        default: return use(std::string{});
    }
}

[[nodiscard]] inline operation operation_of(call const& c) {
    return with_element(c.of, [&]<class T>(T const&) { return element<T>::operations[c.operation]; });
}

/// What tutti knows of the operator.
[[nodiscard]] inline bool known_to_commute(call const& c) {
    return c.kind == operator_kind::commutative || (c.kind == operator_kind::standard && c.of != element_type::text);
}
[[nodiscard]] inline bool known_identity(call const& c) {
    return c.kind == operator_kind::with_identity || (c.kind == operator_kind::standard && c.of != element_type::text);
}

[[nodiscard]] inline std::size_t draw_length(draw& from, element_type of) {
    bool const packed = of == element_type::text;
    if (!packed && from.one_in(150)) { return from.from(5000, 200'000); }
    switch (from.below(8)) {
        case 0: return 0;
        case 1: return 1;
        case 2:
        case 3:
        case 4: return from.from(2, 20);
        case 5:
        case 6: return packed ? from.from(2, 30) : from.from(20, 600);
        default: return packed ? from.from(20, 60) : from.from(600, 5000);
    }
}

/// Parts of different sizes, some empty; now and then one rank has all.
[[nodiscard]] inline std::vector<std::size_t> draw_counts(draw& from, int size, std::size_t length) {
    auto const ranks = static_cast<std::size_t>(size);
    std::vector<std::size_t> result(ranks);
    if (from.one_in(6)) {
        result[from.below(ranks)] = length;
    } else {
        for (auto& each : result) { each = from.one_in(3) ? 0 : from.below(2 * (length / ranks) + 3); }
    }
    return result;
}

/// The call of a seed. Strings are left out where only bytes can travel.
[[nodiscard]] inline call draw_call(std::uint64_t seed, int size, bool with_text) {
    draw from{seed};
    call c;
    c.seed = seed;
    c.size = size;
    c.what = static_cast<collective>(from.one_in(40) ? 10 : from.below(10));
    c.of = static_cast<element_type>(from.below(with_text ? 5 : 4));
    c.how = static_cast<form>(from.below(3));
    if (c.how == form::plan) { c.runs = static_cast<int>(from.from(1, 3)); }
    if (c.what == collective::barrier) { c.how = form::blocking; }
    auto const operations =
        with_element(c.of, []<class T>(T const&) { return element<T>::operations.size(); });
    c.operation = from.below(operations);
    auto const op = operation_of(c);
    c.kind = static_cast<operator_kind>(from.below(4));
    if (c.kind == operator_kind::standard) { c.operation = 0; }
    if (c.kind == operator_kind::commutative && !op.commutes) { c.kind = operator_kind::plain; }
    if (c.kind == operator_kind::with_identity && !op.has_identity) { c.kind = operator_kind::plain; }
    // plans and blocking calls only, which saves compiling
    c.in_place = c.how != form::async && c.what != collective::broadcast && from.one_in(3);
    c.names_algorithm = from.one_in(2);
    c.root = static_cast<int>(from.below(static_cast<std::size_t>(size)));
    c.length = draw_length(from, c.of);
    if (c.divides()) {
        c.gives_counts = !from.one_in(3);
        c.counts = c.gives_counts
                       ? draw_counts(from, size, c.length)
                       : std::vector(static_cast<std::size_t>(size), c.length / static_cast<std::size_t>(size));
    }
    return c;
}

/// The call in words; `algorithm` is the one that it names.
[[nodiscard]] inline std::string to_string(call const& c, std::string_view algorithm) {
    std::string result = c.how == form::plan ? "plan::" : c.how == form::async ? "async::" : "";
    result += names_of_collectives[static_cast<std::size_t>(c.what)];
    if (c.what == collective::barrier) { return result; }
    if (c.in_place) { result += " in place"; }
    result += " of ";
    if (c.divides()) {
        if (c.gives_counts) {
            result += '(';
            for (auto const each : c.counts) { result += (&each == c.counts.data() ? "" : " ") + std::to_string(each); }
            result += ')';
        } else {
            result += std::to_string(c.counts.front()) + " each";
        }
    } else {
        result += std::to_string(c.length);
    }
    result += ' ' + std::string{with_element(c.of, []<class T>(T const&) { return element<T>::name; })};
    if (c.has_operator()) {
        std::string_view const kinds[]{"", ", commutative", ", with identity", ", as tutti knows it"};
        result += ", " + std::string{operation_of(c).name};
        result += kinds[static_cast<std::size_t>(c.kind)];
    }
    if (c.is_rooted()) { result += ", root " + std::to_string(c.root); }
    result += ", by " + std::string{c.names_algorithm ? algorithm : "automatic"};
    if (c.runs > 1) { result += ", " + std::to_string(c.runs) + " runs"; }
    return result + ", on " + std::to_string(c.size) + (c.size == 1 ? " rank" : " ranks");
}

}  // namespace soak
