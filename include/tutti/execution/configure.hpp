// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <concepts>

#include <tutti/communicator/world.hpp>
#include <tutti/execution/options.hpp>

namespace tutti::engine {

/// Sets the options of collectives on `world` from now on: for all calls and all runs of plans, old and new, that start
/// later; `reproducible`, for plans that are created later.
///
/// Requires: all ranks of `world` make this call, with the same options and between the same collectives. A running
/// plan ends as it began. Duplicates of `world` do not inherit the options. Serialised elements are always sent in
/// standard mode: no receive can be posted for a message of unknown length.
/// Errors: std::invalid_argument for ready mode if ranks have none, such as threads; `mismatched_calls` on all ranks if
/// options differ, or if some rank calls something else.
/// Cost: 2 ⌈log2 p⌉ α. Ready mode: one more α for every pair of ranks with messages, and memory for everything that a
/// rank receives and combines. In return MPI need not check whether a receive is posted; measure whether yours uses
/// that. Checked calls: a message of 16 bytes to each of two neighbours, and a wait for theirs, for each call and each
/// new plan. They are the default over MPI if TUTTI_CHECK=1 is in the environment of rank 0.
template <world World>
void configure(World const& world, execution chosen) {
    engine::set_execution(communicator_of<World>::get(world), chosen);
}

/// Sets which ranks of `world` share a node, in place of the answer of its communicator, from now on. All ranks make
/// this call, with the same map and between the same collectives. Duplicates of `world` do not inherit it.
/// Errors: std::invalid_argument for a map of another number of ranks; `mismatched_calls` as above.
/// Cost: 2 ⌈log2 p⌉ α.
template <class World, class Map>
void configure(World const& world, Map const& nodes) {  // a list in braces is of the other kind
    constexpr bool is_known = tutti::world<World> && std::same_as<Map, node_map>;
    static_assert(is_known,
                  "tutti: configure takes a communicator whose header is included, and tutti::execution{.check_calls = "
                  "true} or another of its members, or a tutti::node_map");
    if constexpr (is_known) { engine::set_nodes(communicator_of<World>::get(world), nodes); }
}

}  // namespace tutti::engine

#define TUTTI_UNLESS_LINKED <tutti/execution/set_options.hpp>
#include <tutti/seam.hpp>

namespace tutti {
using engine::configure;
}  // namespace tutti
