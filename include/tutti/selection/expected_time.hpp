// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <concepts>
#include <cstddef>

#include <tutti/combinator/reverse.hpp>
#include <tutti/combinator/then.hpp>
#include <tutti/cost/machine.hpp>
#include <tutti/generator/hierarchical.hpp>
#include <tutti/generator/multi_lane.hpp>
#include <tutti/generator/split.hpp>
#include <tutti/node_map.hpp>
#include <tutti/problem.hpp>
#include <tutti/selection/call_parameters.hpp>
#include <tutti/selection/expected_time/exchanges.hpp>
#include <tutti/selection/expected_time/parts.hpp>
#include <tutti/selection/expected_time/scans.hpp>
#include <tutti/selection/expected_time/trees.hpp>
#include <tutti/selection/message_costs.hpp>

namespace tutti {

/// The call parameters of `size` of the ranks, which have `bytes` bytes each and send over one kind of link.
[[nodiscard, gnu::noinline, gnu::cold]] inline call_parameters
among(call_parameters const& now, std::size_t size, std::size_t bytes, loggp const& link, node_map const& nodes) {
    auto result = now;
    result.size = size;
    result.bytes = bytes;
    result.longest_part = 0;
    result.link = link;
    result.nodes = nodes;
    result.distances.clear();
    return result;
}

/// The call parameters of a collective among the ranks of the widest node.
[[nodiscard, gnu::noinline, gnu::cold]] inline call_parameters within_a_node(call_parameters const& now) {
    auto result = among(now, now.nodes.most_on_a_node(now.size), now.bytes, now.within, {});
    result.lends_objects = false;  // as everywhere, where a node map is given
    result.exchange_factor = now.exchange_factor_within_node;
    result.partner_change_factor = 1;
    return result;
}

/// The call parameters of a collective among one rank of each node, each of which has `bytes` bytes.
[[nodiscard, gnu::noinline, gnu::cold]] inline call_parameters across_nodes(call_parameters const& now,
                                                                            std::size_t bytes) {
    return among(now, now.nodes.count(now.size), bytes, now.link, node_map::of_width(1));
}

// The next functions do not use the `message_costs` of their callers: messages cost less inside a node than across.

/// Each node reduces to its leader, the leaders among themselves; then they broadcast, unless it is a reduce.
template <class Collective>
    requires reduction<Collective> || scan_collective<Collective>
[[nodiscard, gnu::cold]] double time_of(Collective, hierarchical const&, message_costs const&,
                                        call_parameters const& now) {
    auto const inside = within_a_node(now);
    auto const across = across_nodes(now, now.bytes);
    auto const there = time_of(collective::reduce{}, binomial{}, message_costs::combining(inside), inside) +
                       time_of(collective::reduce{}, binomial{}, message_costs::combining(across), across);
    if constexpr (std::same_as<Collective, collective::reduce>) {
        return there;
    } else {
        return there + time_of(collective::reduce{}, binomial{}, message_costs::transfer_only(inside), inside);
    }
}

/// Each node shares the vector out, each lane reduces its share, and the node collects the shares.
[[nodiscard, gnu::cold]] inline double time_of(collective::all_reduce which, multi_lane const&, message_costs const&,
                                               call_parameters const& now) {
    auto const inside = within_a_node(now);
    auto const across = across_nodes(now, now.bytes / inside.size);
    auto const lane = message_costs::combining(across);
    auto const shares = [&](std::size_t halvings) {
        return time_of(which, split{.halvings = halvings}, lane, across);
    };
    return time_of(collective::reduce_scatter{}, split{}, message_costs::combining(inside), inside) +
           time_of(which, best_split(across.size, shares), lane, across) +
           time_of(collective::reduce_scatter{}, split{}, message_costs::transfer_only(inside), inside);
}
[[nodiscard, gnu::cold]] inline double time_of(collective::reduce which, multi_lane const&, message_costs const&,
                                               call_parameters const& now) {
    auto const inside = within_a_node(now);
    auto const across = across_nodes(now, now.bytes / inside.size);
    return time_of(collective::reduce_scatter{}, split{}, message_costs::combining(inside), inside) +
           time_of(which, butterfly{}, message_costs::combining(across), across) +
           time_of(collective::scatter{}, binomial{}, message_costs::transfer_only(inside), inside);
}
[[nodiscard, gnu::cold]] inline double time_of(collective::reduce_scatter which, multi_lane const&,
                                               message_costs const&, call_parameters const& now) {
    auto const inside = within_a_node(now);
    auto const across = across_nodes(now, now.bytes / inside.size);
    return time_of(which, split{}, message_costs::combining(inside), inside) +
           time_of(which, split{}, message_costs::combining(across), across);
}

/// A reversed algorithm takes as long as the algorithm would if combining took no time.
template <class Collective, generator_for<opposite_t<Collective>> Generator>
[[nodiscard, gnu::cold]] double time_of(Collective, reversed<Generator> const& generator, message_costs const& costs,
                                        call_parameters const& now) {
    return time_of(opposite_t<Collective>{}, generator.generator, costs, now);
}

/// The sum of both stages: an all_gather begins when the shares of the reduce_scatter are complete, and a broadcast
/// that overlaps with its reduce shares the links with it.
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

/// Seconds that a call is expected to take if all ranks enter it at once, by the costs in its parameters.
///
/// For choosing among algorithms with their best parameters: only the order of the times matters. How long messages of
/// several ranks delay each other on a link was measured in simulations of full-duplex networks.
template <class Collective, class Generator>
[[nodiscard, gnu::cold]] double expected_time(Collective which, Generator const& generator,
                                              call_parameters const& now) {
    if (now.size == 1) { return 0; }
    auto const costs =
        collective::combines<Collective> ? message_costs::combining(now) : message_costs::transfer_only(now);
    return time_of(which, generator, costs, now);
}

}  // namespace tutti
