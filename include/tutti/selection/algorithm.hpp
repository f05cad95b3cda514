// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <concepts>
#include <cstddef>
#include <type_traits>

#include <tutti/collective.hpp>
#include <tutti/operation.hpp>
#include <tutti/selection/automatic.hpp>
#include <tutti/selection/reproducible.hpp>

namespace tutti {

namespace selection {

template <class A, class... Collectives>
concept describes_any = (requires { describe(Collectives{}, std::type_identity<A>{}); } || ...);

}  // namespace selection

/// Whether tutti chooses among its own algorithms.
template <class A>
inline constexpr bool leaves_choice = std::same_as<A, automatic> || std::same_as<A, reproducible>;

/// An algorithm for calls of the collective that is chosen when a call begins, by more than what the call says:
/// `a.decide<commutes>(Collective, ranks, bytes)` gives it, on all ranks the same, and `a.ended()` hears when the call
/// ends.
template <class A, class Collective>
concept deferred_choice = requires(A const& a, Collective which, std::size_t size, std::size_t bytes) {
    a.template decide<true>(which, size, bytes);
    a.template decide<false>(which, size, bytes);
    a.ended();
};

/// What may stand where a call takes an algorithm: `automatic`, `reproducible`, a generator of any collective, or what
/// decides later.
template <class A>
concept algorithm =
    leaves_choice<std::remove_cvref_t<A>> || requires { typename std::remove_cvref_t<A>::picks_by_parameters; } ||
    deferred_choice<std::remove_cvref_t<A>, collective::all_reduce> ||
    selection::describes_any<std::remove_cvref_t<A>, collective::reduce, collective::all_reduce, collective::broadcast,
                             collective::inclusive_scan, collective::exclusive_scan, collective::scan_reduce,
                             collective::reduce_scatter, collective::all_gather, collective::gather,
                             collective::scatter>;

/// Whether an algorithm for such a call may reorder operands.
template <class Collective, class Operator, class T>
inline constexpr bool may_reorder = !collective::combines<Collective> || is_commutative_v<Operator, T>;

}  // namespace tutti
