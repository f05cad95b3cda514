// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <concepts>

#include <tutti/combinator/reverse.hpp>
#include <tutti/combinator/then.hpp>
#include <tutti/problem.hpp>
#include <tutti/selection/expected_time/binary_blocks.hpp>
#include <tutti/selection/expected_time/exchanges.hpp>
#include <tutti/selection/expected_time/nodes.hpp>
#include <tutti/selection/expected_time/parts.hpp>
#include <tutti/selection/expected_time/pipelines.hpp>
#include <tutti/selection/expected_time/scans.hpp>
#include <tutti/selection/expected_time/trees.hpp>
#include <tutti/selection/expected_time/unfolded_multiplying.hpp>
#include <tutti/selection/message_costs.hpp>
#include <tutti/selection/call_parameters.hpp>

namespace tutti {

/// What the reversal takes is what the algorithm would take if combining took no time.
template <class Collective, generator_for<opposite_t<Collective>> Generator>
[[nodiscard, gnu::cold]] double time_of(Collective, reversed<Generator> const& generator, message_costs const& costs,
                                        call_parameters const& now) {
    return time_of(opposite_t<Collective>{}, generator.generator, costs, now);
}

/// There and back, one after the other: where the ranks share out the vector, the way back begins when the shares are
/// complete; where segments go to a root and back at once, they share the links.
template <class There, class Back>
[[nodiscard, gnu::cold]] double time_of(collective::all_reduce, chained<There, Back> const& both,
                                        message_costs const& costs, call_parameters const& now) {
    auto const& [there, back] = both.stages;
    if constexpr (generator_for<There, collective::reduce_scatter>) {
        return time_of(collective::reduce_scatter{}, there, costs, now) +
               time_of(collective::all_gather{}, back, message_costs::transfer_only(now), now);
    } else {
        return time_of(collective::reduce{}, there, costs, now) +
               time_of(collective::broadcast{}, back, message_costs::transfer_only(now), now);
    }
}

/// Seconds that a call is expected to take, if all ranks enter it at once, by the costs that the call parameters
/// states.
///
/// For choosing among algorithms: they are compared at their best, and what counts is which is least. Where messages
/// of several ranks meet in a link, how long they keep each other was measured in simulations of full-duplex networks.
template <class Collective, class Generator>
[[nodiscard, gnu::cold]] double expected_time(Collective which, Generator const& generator,
                                              call_parameters const& now) {
    if (now.size == 1) { return 0; }
    auto const costs =
        collective::combines<Collective> ? message_costs::combining(now) : message_costs::transfer_only(now);
    return time_of(which, generator, costs, now);
}

}  // namespace tutti
