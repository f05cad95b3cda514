// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <tutti/collective/arguments.hpp>
#include <tutti/collective/invocation.hpp>
#include <tutti/collective/perform.hpp>
#include <tutti/collective/refusal.hpp>
#include <tutti/operation/run_time_operator.hpp>

namespace tutti {

namespace engine {

/// The kinds of call of one collective, operator type and algorithm type that have been met so far, which differ in
/// what is known only at run time. They last as long as the process, since their addresses tell them apart.
template <class Collective, class T, class Operator, class Algorithm>
class run_time_kinds {
public:
    /// What is known only at run time.
    struct key {
        std::size_t element_bytes = sizeof(T);
        bool commutes = true;
        bool indivisible = false;
        std::string_view combine{};  ///< names, where they are known
        std::string_view element{};

        friend bool operator==(key const&, key const&) = default;
    };

    [[nodiscard]] static selection::call_kind const& find_or_make(key const& known) {
        auto* const first = newest_.load(std::memory_order_acquire);
        for (auto* each = first; each != nullptr; each = each->next) {
            if (each->known == known) { return each->kind; }
        }
        return make(known);
    }

private:
    struct node {
        key known;
        std::string element;
        selection::call_kind kind;
        node const* next;
    };

    // Two threads may make two of the same: only time is lost, since calls are counted by `is_like`.
    [[gnu::cold, gnu::noinline]] static selection::call_kind const& make(key const& known) {
        auto* const fresh =
            new node{known, "elements of " + std::to_string(known.element_bytes) + " bytes", {}, nullptr};
        fresh->kind = {.collective = Collective::name,
                       .algorithm = text::type_name<Algorithm>(),
                       .element = !known.element.empty()               ? known.element
                                  : std::is_same_v<T, packing::record> ? std::string_view{fresh->element}
                                                                       : text::type_name<T>(),
                       .combine = known.combine,
                       .element_bytes = known.element_bytes,
                       .rooted = collective::is_rooted<Collective>,
                       .travels_as_bytes = travels_as_bytes<T>,
                       .commutes = known.commutes,
                       .indivisible = known.indivisible,
                       .has_identity = false};
        if constexpr (collective::combines<Collective>) {
            if (known.combine.empty()) { fresh->kind.combine = text::type_name<unwrapped_operator<Operator>>(); }
        }
        if constexpr (!std::is_same_v<Algorithm, automatic>) {
            fresh->kind.hold =
                selection::hold_algorithm<Collective, true, false, Algorithm>;  // the planner looks at `commutes`
        }
        fresh->next = newest_.load(std::memory_order_relaxed);
        while (!newest_.compare_exchange_weak(fresh->next, fresh, std::memory_order_acq_rel)) {}
        return fresh->kind;
    }

    inline static std::atomic<node const*> newest_{nullptr};
};

template <class Invocation>
selection::call_kind const& run_time_kind(Invocation const& what) {
    using Collective = typename Invocation::collective_type;
    using T = typename Invocation::element_type;
    using Operator = typename Invocation::operator_type;
    using kinds = run_time_kinds<Collective, T, Operator, std::remove_cvref_t<decltype(what.algorithm)>>;
    typename kinds::key known;
    if constexpr (requires { what.extent; }) { known.element_bytes = what.extent; }
    if constexpr (collective::combines<Collective>) {
        unwrapped_operator<Operator> const& op = what.op;
        known.commutes = op.commutes;
        known.indivisible = op.indivisible;
        auto const take_names = [&](auto const& from) {
            if constexpr (requires { from.elements; }) {
                known.combine = from.name;
                known.element = from.elements;
            }
        };
        if constexpr (requires { op.base; }) {
            unwrapped_operator<decltype(op.base)> const& base = op.base;
            take_names(base);
        } else {
            take_names(op);
        }
    }
    return kinds::find_or_make(known);
}

}  // namespace engine

/// `count` elements of `extent` bytes each, one after the other, in place of a contiguous range in any call: for
/// elements whose type is known only at run time. All ranks pass the same extent. Elements are copied as bytes, are
/// never cut, and are combined by a `run_time_operator`. Scratch memory is aligned to 64 bytes at most.
template <class Record>
class records : public std::ranges::view_base {
public:
    template <class Bytes>
    records(Bytes* pointer, std::size_t count, std::size_t extent)
        : first_{reinterpret_cast<Record*>(pointer)}, count_{count}, extent_{extent} {}

    // One of the Record's stands for a whole element: a range of them has the number of elements.
    [[nodiscard]] Record* begin() const { return first_; }
    [[nodiscard]] Record* end() const { return first_ + count_; }
    [[nodiscard]] std::size_t extent() const { return extent_; }

private:
    Record* first_;
    std::size_t count_;
    std::size_t extent_;
};

template <class Bytes>
records(Bytes*, std::size_t, std::size_t)
    -> records<std::conditional_t<std::is_const_v<Bytes>, packing::record const, packing::record>>;

namespace argument {

struct records_in_place : in_place<packing::record> {
    std::size_t bytes;
    [[nodiscard]] std::size_t extent() const { return bytes; }
};

template <class Record>
inline constexpr bool has_extent<records<Record>> = true;
template <>
inline constexpr bool has_extent<records_in_place> = true;
template <>
inline constexpr bool is_in_place<records_in_place> = true;

/// A run-time operator on elements of `extent` bytes.
template <class Op>
struct operator_on_records {
    Op base;
    std::size_t extent;
    bool commutes;
    bool indivisible;

    /// Of this many bytes each.
    void operator()(std::span<packing::record const> left, std::span<packing::record const> right,
                    std::span<packing::record> out) const {
        engine::unwrapped_operator<Op> const& op = base;
        op.combine_bytes(&left.data()->first, &right.data()->first, &out.data()->first, out.size() / extent, extent);
    }
};

template <class Collective, class C, class Operator, class Algorithm>
struct record_invocation : engine::invocation<Collective, C, packing::record, Operator, Algorithm> {
    std::size_t extent;
};

template <class Record>
[[nodiscard]] std::span<packing::record const> span_of_bytes(records<Record> const& all) {
    return {all.begin(), static_cast<std::size_t>(all.end() - all.begin()) * all.extent()};
}
[[nodiscard]] inline std::span<packing::record const> span_of_bytes(records_in_place const& all) {
    return {all.block.data(), all.block.size() * all.bytes};
}

/// The extent of all of them. They are different memory, but for a result in the place of an operand.
template <class Collective, class... Arguments>
[[nodiscard]] std::size_t common_extent(Arguments const&... arguments) {
    std::size_t result = 0;
    std::array<std::span<packing::record const>, sizeof...(Arguments)> seen{};
    auto next = seen.begin();
    auto const see = [&](auto const& each) {
        if constexpr (has_extent<std::remove_cvref_t<decltype(each)>>) {
            if (each.extent() == 0) { argument::refuse<Collective>("records of 0 bytes; give their extent"); }
            if (result != 0 && each.extent() != result) {
                argument::refuse<Collective>("records of " + std::to_string(result) + " and of " +
                                             std::to_string(each.extent()) + " bytes in one call; give all one extent");
            }
            result = each.extent();
            *next = argument::span_of_bytes(each);
            for (auto before = seen.begin(); before != next; ++before) {
                if (before->data() != next->data()) { argument::check_separate<Collective>(*before, *next); }
            }
            ++next;
        }
    };
    (see(arguments), ...);
    return result;
}

}  // namespace argument

namespace engine {

/// A call that was made of the arguments, some of them records, with what their type does not say.
template <class Collective, class C, class Operator, class Algorithm, class... Arguments>
[[nodiscard]] auto with_extent(invocation<Collective, C, packing::record, Operator, Algorithm>&& what,
                               Arguments const&... arguments) {
    using argument::operator_on_records;
    auto const extent = argument::common_extent<Collective>(arguments...);
    auto const made = [&]<class Op>(Op op) {
        return argument::record_invocation<Collective, C, Op, Algorithm>{
            {what.world, what.input, what.output, what.elements, what.root, std::move(op), std::move(what.algorithm),
             what.second_output, std::move(what.counts)},
            extent};
    };
    if constexpr (collective::combines<Collective>) {
        using Op = std::remove_cv_t<std::remove_reference_t<Operator>>;
        unwrapped_operator<Op> const& op = what.op;
        return made(operator_on_records<Op>{what.op, extent, op.commutes, op.indivisible});
    } else {
        return made(operators::no_operator{});
    }
}

}  // namespace engine

template <class Record>
[[nodiscard]] argument::records_in_place inplace(records<Record> both) {
    return {{std::span<packing::record>{both.begin(), both.end()}}, both.extent()};
}

namespace operators {

template <class Op>
inline constexpr bool is_block_operator<argument::operator_on_records<Op>> = true;

template <class Op>
inline constexpr bool is_run_time_operator<argument::operator_on_records<Op>> = true;

}  // namespace operators

}  // namespace tutti

template <class Record>
inline constexpr bool std::ranges::enable_borrowed_range<tutti::records<Record>> = true;
