// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <concepts>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <tutti/generator.hpp>
// what their names mean for an all_reduce must not depend on what else is included
#include <tutti/generator/all_reduce/butterfly.hpp>
#include <tutti/generator/all_reduce/ordered.hpp>
#include <tutti/generator/all_reduce/split.hpp>
#include <tutti/generator/reverse.hpp>
#include <tutti/generator/then.hpp>
#include <tutti/operation.hpp>
#include <tutti/selection/automatic.hpp>

namespace tutti {

namespace selection {

template <class G, class... Collectives>
inline constexpr bool generates_any = (generator_for<G, Collectives> || ...);

}  // namespace selection

/// An algorithm for calls of the collective that is chosen when a call begins, by more than what the call says:
/// `a.decide<commutes>(Collective, situation)` gives it, on all ranks the same, and `a.ended()` hears when the call
/// ends.
template <class A, class Collective>
concept decides_at_call = requires(A const& a, Collective which, situation const& now) {
    a.template decide<true>(which, now);
    a.template decide<false>(which, now);
    a.ended();
};

/// What may stand where a call takes an algorithm: `automatic`, a generator of any collective, or what decides later.
template <class A>
concept algorithm =
    std::same_as<std::remove_cvref_t<A>, automatic> ||
    decides_at_call<std::remove_cvref_t<A>, collective::all_reduce> ||
    selection::generates_any<std::remove_cvref_t<A>, collective::reduce, collective::all_reduce, collective::broadcast,
                             collective::inclusive_scan, collective::exclusive_scan, collective::scan_reduce,
                             collective::reduce_scatter, collective::all_gather, collective::gather,
                             collective::scatter>;

namespace selection {

/// What an algorithm means for a collective that it does not implement.
struct nothing {};

template <class Collective, class A>
[[nodiscard]] auto meant_by(Collective, A const& named) {
    if constexpr (generator_for<A, Collective>) {
        return named;
    } else if constexpr (std::same_as<Collective, collective::broadcast> && generator_for<A, collective::reduce>) {
        return reverse(named);
    } else if constexpr (std::same_as<Collective, collective::all_reduce> && generator_for<A, collective::reduce>) {
        return then(named, reverse(named));
    } else if constexpr (std::same_as<Collective, collective::all_reduce> &&
                         generator_for<A, collective::reduce_scatter>) {
        return then(named, reverse(named));
    } else if constexpr (std::same_as<Collective, collective::all_gather> &&
                         generator_for<A, collective::reduce_scatter>) {
        return reverse(named);
    } else if constexpr (std::same_as<Collective, collective::gather> && generator_for<A, collective::scatter>) {
        return reverse(named);
    } else {
        return nothing{};
    }
}

}  // namespace selection

/// Whether there is an `algorithm_for` the collective: whether a call of it may name this generator.
template <class A, class Collective>
concept implements =
    !std::same_as<decltype(selection::meant_by(Collective{}, std::declval<A const&>())), selection::nothing>;

/// The generator that a named algorithm means for a collective: itself, or what follows from it. A reduction
/// by name gives its reversal for a broadcast, a reduce_scatter that for an all_gather, and both, one after the other,
/// an all_reduce; a scatter gives its reversal for a gather.
template <class Collective, algorithm A>
[[nodiscard]] auto algorithm_for(Collective which, A const& named) {
    static_assert(implements<A, Collective>,
                  "tutti: this algorithm does not implement this collective; name one that does, or leave the "
                  "choice to tutti::automatic");
    return selection::meant_by(which, named);
}

/// Whether an algorithm for such a call may reorder operands.
template <class Collective, class Operator, class T>
inline constexpr bool may_reorder = !collective::combines<Collective> || is_commutative_v<Operator, T>;

/// Calls `use(generator, why)` with the algorithm named by the caller, or with tutti's choice. An operator that does
/// not fit the algorithm stops the compilation; a number of ranks that does not fit is an exception.
template <class Collective, class Operator, class T, algorithm A, class Use>
auto with_algorithm(Collective which, A const& named, situation const& now, Use&& use) {
    constexpr bool commutes = may_reorder<Collective, Operator, T>;
    if constexpr (std::same_as<A, automatic>) {
        return selection::choose<commutes>(which, now, std::forward<Use>(use));
    } else {
        auto const generator = algorithm_for(which, named);
        constexpr facts known = facts_of<Collective, std::remove_const_t<decltype(generator)>>;
        static_assert(commutes || !known.requires_commutative,
                      "tutti: this algorithm changes the order of operands, and the operator is not known to commute; "
                      "write tutti::commutative(op) if it does, or choose an algorithm that keeps rank order");
        if constexpr (collective::combines<Collective>) {
            static_assert(!known.requires_identity || has_identity_v<Operator, T>,
                          "tutti: this algorithm needs the operator's identity; write tutti::with_identity(op, value)");
        }
        if (!known.supports(now.size)) {
            throw std::invalid_argument{"tutti: " + name_of(which, generator) + " does not support " +
                                        std::to_string(now.size) + " ranks"};
        }
        if constexpr (requires { { generator.why } -> std::convertible_to<std::string_view>; }) {
            return use(generator, generator.why);
        } else {
            return use(generator, std::string_view{"named by the caller"});
        }
    }
}

}  // namespace tutti
