// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <stdexcept>
#include <string_view>
#include <type_traits>
#include <utility>

#include <tutti/collective/arguments.hpp>
#include <tutti/communicator/world.hpp>
#include <tutti/element.hpp>
#include <tutti/text.hpp>
#include <tutti/operation.hpp>
#include <tutti/selection/algorithm.hpp>

namespace tutti::engine {

/// In place of counts, where the vector is not divided.
struct no_counts {
    [[nodiscard]] operator std::span<std::size_t const>() const { return {}; }
};

/// A collective call with its arguments in one form, checked, and nothing done yet. `Operator` is a reference
/// where the caller's own object is meant.
template <class Collective, class C, class T, class Operator, algorithm Algorithm>
struct invocation {
    using collective_type = Collective;
    using communicator_type = C;
    using element_type = T;
    using operator_type = std::remove_reference_t<Operator>;

    C& world;
    T const* input;
    T* output;
    std::size_t elements;
    int root;
    Operator op;
    Algorithm algorithm;
    T* second_output = nullptr;  ///< of scan_reduce: the total
    std::conditional_t<collective::divides<Collective>, argument::counts_of_ranks, no_counts> counts = {};
};

}  // namespace tutti::engine

namespace tutti::argument {

template <class World>
[[nodiscard]] auto& communicator_for(World& world) {
    return communicator_of<std::remove_cvref_t<World>>::get(world);
}

template <class World>
using communicator_behind_t = std::remove_reference_t<decltype(argument::communicator_for(std::declval<World&>()))>;

/// The rank of the caller, and the number of ranks. With TUTTI_COMPILED a communicator is seen by its name alone, and
/// these are linked.
template <class C>
[[nodiscard]] int rank_of(C const& world) {
    return world.rank();
}
template <class C>
[[nodiscard]] int size_of(C const& world) {
    return world.size();
}

template <class Collective>
[[noreturn, gnu::cold]] void refuse(std::string_view what) {
    throw std::invalid_argument{text::joined({"tutti: ", Collective::name, ": ", what})};
}

template <class Collective>
void check_root(int root, int size) {
    if (root < 0 || root >= size) {
        argument::refuse<Collective>(
            text::joined({"root ", root, " is not a rank of a communicator of ", text::word(size, "rank"),
                          "; ranks count from 0"}));
    }
}

/// in and out are quite different memory.
template <class Collective, class T>
void check_separate(std::span<T const> in, std::span<T const> out) {
    std::less<T const*> const before;
    if (in.empty() || out.empty()) { return; }
    if (before(in.data(), out.data() + out.size()) && before(out.data(), in.data() + in.size())) {
        argument::refuse<Collective>("in and out overlap; use inplace(x) or separate memory");
    }
}

template <class Collective>
[[noreturn, gnu::cold, gnu::noinline]] void refuse_sizes(std::size_t in, std::size_t out) {
    argument::refuse<Collective>(text::joined(
        {"in has ", text::word(in, "element"), ", but out has room for ", out, "; give both the same number"}));
}

/// in and out are of one size, and the same memory or quite different memory.
template <class Collective, class T>
void check_vectors(std::span<T const> in, std::span<T> out) {
    if (in.size() != out.size()) { argument::refuse_sizes<Collective>(in.size(), out.size()); }
    if (in.data() != out.data()) { argument::check_separate<Collective>(in, std::span<T const>{out}); }
}

}  // namespace tutti::argument
