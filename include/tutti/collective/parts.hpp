// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <span>
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
    auto const size = static_cast<std::size_t>(argument::size_of(world));
    if (!counts.provided()) { return size * part; }
    if (counts.size() != size) {
        argument::refuse<Collective>(
            text::joined({"counts has ", text::word(counts.size(), "number"), " for ", text::word(size, "rank"),
                          "; give one for each rank"}));
    }
    auto const due = counts[static_cast<std::size_t>(argument::rank_of(world))];
    if (due != part) {
        argument::refuse<Collective>(
            text::joined({part_name, " has ", text::word(part, "element"), ", but counts gives this rank ", due,
                          "; make both equal"}));
    }
    return counts.total();
}

/// The same where only the whole vector is at hand: elements of this rank's part.
template <class Collective, class World>
[[nodiscard]] std::size_t part_of(World const& world, counts_of_ranks const& counts, std::size_t whole) {
    auto const size = static_cast<std::size_t>(argument::size_of(world));
    if (!counts.provided()) {
        if (whole % size != 0) {
            argument::refuse<Collective>(
                text::joined({"a vector of ", text::word(whole, "element"), " does not divide equally among ",
                              text::word(size, "rank"), "; give counts"}));
        }
        return whole / size;
    }
    return counts.size() == size ? counts[static_cast<std::size_t>(argument::rank_of(world))] : 0;
}

/// The counts of a gather or scatter, of which this rank has a part of `part` elements. Where tutti chooses the
/// algorithm, each part goes straight to the root or comes from it, so that counts are read on the root only; an
/// algorithm that is named may send parts by way of other ranks, which need the counts, too.
template <class A, class World, class Counts>
[[nodiscard]] counts_of_ranks counts_for(World const& ranks, Counts const& counts, int root, std::size_t part) {
    auto const& world = argument::communicator_for(ranks);
    auto const rank = argument::rank_of(world);
    if (!selection::leaves_choice<A> || rank == root) { return counts_of_ranks{counts}; }
    return counts_of_ranks::of_one(static_cast<std::size_t>(argument::size_of(world)), static_cast<std::size_t>(rank),
                                   part);
}

template <class Collective>
void check_whole(std::size_t elements, std::size_t due, char const* name) {
    if (elements != due) {
        argument::refuse<Collective>(text::joined(
            {name, " has ", text::word(elements, "element"), ", but the parts of all ranks together have ", due,
             "; make both equal"}));
    }
}

/// Checks memory that is both the whole vector and this rank's part, or, unless `is_whole`, the part alone; elements of
/// the whole vector.
template <class Collective, class World>
[[nodiscard]] std::size_t whole_in_place(World const& world, counts_of_ranks const& counts, std::size_t elements,
                                         bool is_whole = true) {
    auto const part = is_whole ? argument::part_of<Collective>(world, counts, elements) : elements;
    auto const whole = argument::whole_of<Collective>(world, counts, part, "x");
    if (is_whole) { argument::check_whole<Collective>(elements, whole, "x"); }
    return whole;
}

/// Whether ranks give parts of the vector, and are owed the whole; else it is the other way round.
template <class Collective>
inline constexpr bool gives_part = collective::traits<Collective>.gives == collective::holder::owner;

/// Whether a call over C may have these types; Op means nothing where nothing is combined.
template <class Collective, class C, class Op, class In, class Out>
inline constexpr bool fit = collective::combines<Collective> ? types_fit<C, Op, In, Out> : data_fits<C, In, Out>;

/// Whether this rank has the whole vector, not its part alone.
template <class Collective, class World>
[[nodiscard]] bool has_whole(World const& world, int root) {
    if constexpr (collective::is_rooted<Collective>) {
        argument::check_root<Collective>(root, argument::size_of(world));
    }
    return !collective::is_rooted<Collective> || argument::rank_of(world) == root;
}

/// Pointer and count where `In`, `Out` could also be meant as in and out: an array is the pointer.
template <class In, class Out>
inline constexpr bool is_counted_array = std::is_array_v<In> && std::integral<std::remove_cvref_t<Out>>;

template <class X>
inline constexpr bool can_grow = false;
template <std::default_initializable T, class Allocator>
inline constexpr bool can_grow<std::vector<T, Allocator>> = true;

/// Whether X is the type of the elements of a vector `Whole`.
template <class Whole, class X>
inline constexpr bool is_element = std::is_same_v<element_of<Whole>, std::remove_cvref_t<X>>;
template <class X>
inline constexpr bool is_element<void, X> = false;

/// The elements of a rank's part, where the whole vector is `Whole`: `x` is one of them if its type is theirs, even if
/// it is a range. If Whole is void, those of the whole vector.
template <class Whole, class X>
[[nodiscard]] auto part_block(X&& x) {
    if constexpr (is_element<Whole, X> && !is_annotation<std::remove_cvref_t<X>>) {
        using T = std::conditional_t<std::is_lvalue_reference_v<X>, std::remove_reference_t<X>, X const>;
        return std::span<T>{std::addressof(x), 1};
    } else {
        return argument::as_output(std::forward<X>(x));
    }
}

/// Whether `x` of type X is one element of a vector `Whole`.
template <class Whole, class X>
inline constexpr bool is_one_element = is_single<X> || is_element<Whole, X>;

/// Makes room for `part` elements of every rank where this rank has the whole vector, if that can grow, as in
/// Boost.MPI.
template <class Collective, class World, class Whole>
void make_room(World const& world, Whole& whole, std::size_t part, int root = 0) {
    if constexpr (can_grow<Whole>) {
        if (argument::has_whole<Collective>(world, root)) {
            whole.resize(static_cast<std::size_t>(argument::size_of(world)) * part);
        }
    }
}

}  // namespace tutti::argument
