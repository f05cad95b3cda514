// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <concepts>
#include <string_view>
#include <type_traits>

#include <tutti/collective.hpp>
#include <tutti/operation.hpp>

namespace tutti::selection {

inline constexpr std::string_view why_by_rule = "named by the tuning file";

struct planned_call;

/// Lets tutti choose the algorithm and its number of segments: the least expected time, unless the machine model has a
/// rule for such calls.
///
/// The choice depends only on the collective, the number of ranks, the lengths of the vector and its parts, whether the
/// operator commutes, its cost, which ranks share a node, the machine model (`use`, `measure`), and whether ranks are
/// threads. It is the same on all ranks, and every time.
struct automatic {
    friend bool operator==(automatic const&, automatic const&) = default;
};

/// As an algorithm: the fastest among those whose terms are the canonical tree.
///
/// The canonical tree over operands [first, last) combines the canonical trees of the first 2^k operands and of the
/// others, 2^k the largest power of two below last - first: of seven it is ((0+1)+(2+3))+((4+5)+6). Every element of
/// the result has it, of a scan that over the operands of its prefix.
/// Order: operands stay in rank order. Bits depend on the operands and the number of ranks, and on nothing else: not on
/// the length of the vector, the place of an element, the root, the machine model, the node map, the kind of
/// communicator or the collective.
/// Cost: the fastest of unfolded multiplying, binary blocks, alternating trees and, where these are canonical
/// for p, butterflies and splits. Scans of long vectors cost about twice what a chain does, whose prefixes are not
/// canonical: parts go to all ranks and back. Where nothing is combined it is `automatic`. Source:
/// `symbolic::expressions` defines the tree, and a test proves every candidate for p up to 64.
struct reproducible {
    friend bool operator==(reproducible const&, reproducible const&) = default;
};

template <class A, class... Collectives>
constexpr bool describes_any(collective::list<Collectives...>) {
    return (requires { describe(Collectives{}, std::type_identity<A>{}); } || ...);
}

/// Whether tutti chooses among its own algorithms.
template <class A>
inline constexpr bool leaves_choice = std::same_as<A, automatic> || std::same_as<A, reproducible>;

/// An algorithm for calls of the collective that is chosen when a call begins, by more than the arguments of the call:
/// `a.decide<commutes>(Collective, call, ranks)` gives it, on all ranks the same, and `a.ended(ranks)` is called when
/// the call ends; `ranks` is the communicator.
template <class A, class Collective>
concept deferred_choice = requires {
    typename A::decides_when_a_call_begins;
}
&&std::same_as<typename A::decides_when_a_call_begins, Collective>;

/// What may stand where a call takes an algorithm: `automatic`, `reproducible`, a generator of any collective, or what
/// decides later.
template <class A>
concept algorithm =
    leaves_choice<std::remove_cvref_t<A>> || requires { typename std::remove_cvref_t<A>::picks_by_parameters;
} || deferred_choice<std::remove_cvref_t<A>, collective::all_reduce> ||
    selection::describes_any<std::remove_cvref_t<A>>(collective::all{});

/// Whether an algorithm for such a call may reorder operands.
template <class Collective, class Operator, class T>
inline constexpr bool may_reorder = !collective::combines<Collective> || operators::is_commutative_v<Operator, T>;

}  // namespace tutti::selection

namespace tutti {
using selection::algorithm;
using selection::automatic;
using selection::reproducible;
}  // namespace tutti
