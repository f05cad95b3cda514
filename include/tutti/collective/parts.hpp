// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <tutti/collective/arguments.hpp>
#include <tutti/collective/invocation.hpp>
#include <tutti/collective/refusal.hpp>
#include <tutti/selection/algorithm.hpp>

/// What collectives check that divide a vector among the ranks.
namespace tutti::argument {

/// Elements of the vector of which this rank has a part of `part` elements.
template <class Collective, class World>
[[nodiscard]] std::size_t whole_of(World const& world, counts_of_ranks const& counts, std::size_t part,
                                   char const* part_name) {
    auto const size = static_cast<std::size_t>(size_of(world));
    if (!counts.provided()) { return size * part; }
    if (counts.size() != size) {
        refuse<Collective>(joined({"counts has ", counts.size(), " entries for ", size, " ranks"}));
    }
    auto const due = counts[static_cast<std::size_t>(rank_of(world))];
    if (due != part) {
        refuse<Collective>(joined({part_name, " has ", part, " elements, but counts gives this rank ", due}));
    }
    return counts.total();
}

/// The same where only the whole vector is at hand: elements of this rank's part.
template <class Collective, class World>
[[nodiscard]] std::size_t part_of(World const& world, counts_of_ranks const& counts, std::size_t whole) {
    auto const size = static_cast<std::size_t>(size_of(world));
    if (!counts.provided()) {
        if (whole % size != 0) {
            refuse<Collective>(joined({whole, " elements do not divide equally among ", size, " ranks; give counts"}));
        }
        return whole / size;
    }
    return counts.size() == size ? counts[static_cast<std::size_t>(rank_of(world))] : 0;
}

/// The counts of a gather or scatter, of which this rank has a part of `part` elements. Where tutti chooses the
/// algorithm, each part goes straight to the root or comes from it, so that counts are read on the root only; an
/// algorithm that is named may send parts by way of other ranks, which need the counts, too.
template <class A, class World, class Counts>
[[nodiscard]] counts_of_ranks counts_for(World const& ranks, Counts const& counts, int root, std::size_t part) {
    auto const& world = communicator_for(ranks);
    auto const rank = rank_of(world);
    if (!leaves_choice<A> || rank == root) { return counts_of_ranks{counts}; }
    return counts_of_ranks::of_one(static_cast<std::size_t>(size_of(world)), static_cast<std::size_t>(rank), part);
}

template <class Collective>
void check_whole(std::size_t elements, std::size_t due, char const* name) {
    if (elements != due) {
        refuse<Collective>(
            joined({name, " has ", elements, " elements, but the parts of all ranks together have ", due}));
    }
}

/// Checks memory that is both the whole vector and this rank's part, or, unless `is_whole`, the part alone; elements of
/// the whole vector.
template <class Collective, class World>
[[nodiscard]] std::size_t whole_in_place(World const& world, counts_of_ranks const& counts, std::size_t elements,
                                         bool is_whole = true) {
    auto const part = is_whole ? part_of<Collective>(world, counts, elements) : elements;
    auto const whole = whole_of<Collective>(world, counts, part, "x");
    if (is_whole) { check_whole<Collective>(elements, whole, "x"); }
    return whole;
}

/// The invocation of a gather or scatter in place: `both` is the whole vector on the root, else this rank's part.
template <class Collective, class World, class T, class A>
[[nodiscard]] auto rooted_in_place(World const& world, std::span<T> both, counts_of_ranks counts, int root,
                                   A const& algorithm) {
    using C = communicator_behind_t<World const>;
    if constexpr (data_fits<C, T, T>) {
        auto& ranks = communicator_for(world);
        check_root<Collective>(root, size_of(ranks));
        bool const is_root = rank_of(ranks) == root;
        auto const elements = whole_in_place<Collective>(ranks, counts, both.size(), is_root);
        auto* const whole = is_root ? both.data() : nullptr;
        constexpr bool root_gives = collective::traits<Collective>.gives == collective::holder::root;
        using result = invocation<Collective, C, T, no_operator, A>;
        T const* const in = root_gives ? whole : both.data();
        T* const out = root_gives ? both.data() : whole;
        return result{ranks, in, out, elements, root, {}, algorithm, nullptr, std::move(counts)};
    } else {
        return refused_call<wrong_data<C, T, T>>{};
    }
}

/// Pointer and count where `In`, `Out` could also be meant as in and out: an array is the pointer.
template <class In, class Out>
inline constexpr bool is_counted_array = std::is_array_v<In> && std::integral<std::remove_cvref_t<Out>>;

template <class X>
inline constexpr bool can_grow = false;
template <std::default_initializable T, class Allocator>
inline constexpr bool can_grow<std::vector<T, Allocator>> = true;

/// The elements of a rank's part, where the whole vector is `Whole`: `x` is one of them if its type is theirs, even if
/// it is a range.
template <class Whole, class X>
[[nodiscard]] auto part_block(X&& x) {
    if constexpr (!is_annotation<std::remove_cvref_t<X>> && std::is_same_v<element_of<Whole>, std::remove_cvref_t<X>>) {
        using T = std::conditional_t<std::is_lvalue_reference_v<X>, std::remove_reference_t<X>, X const>;
        return std::span<T>{std::addressof(x), 1};
    } else {
        return as_output(std::forward<X>(x));
    }
}

/// Whether `x` of type X is one element of a vector `Whole`.
template <class Whole, class X>
inline constexpr bool is_one_element = is_single<X> || std::is_same_v<element_of<Whole>, std::remove_cvref_t<X>>;

/// Makes room for one part of every rank, where the vector can grow, as Boost.MPI does.
template <class Whole>
void make_room(Whole& whole, std::size_t elements) {
    if constexpr (can_grow<Whole>) {
        if (whole.size() != elements) { whole.resize(elements); }
    }
}

}  // namespace tutti::argument
