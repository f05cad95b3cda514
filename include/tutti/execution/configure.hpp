// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <concepts>
#include <type_traits>

#include <tutti/communicator/world.hpp>

namespace tutti {

class node_map;

/// How the collectives of a world are executed. Results are the same, to the bit, whatever is chosen.
struct execution {
    /// Every receive is posted before its sender may begin, so that all data is sent in ready mode: see `ready_mode`.
    bool ready_mode = false;

    friend bool operator==(execution const&, execution const&) = default;
};

/// Chooses how collectives on `world`, an MPI_Comm or boost::mpi::communicator, are executed from now on: all calls and
/// all runs of plans, old and new, that start later.
///
/// All ranks of `world` make this call, with the same options and between the same collectives; a plan that is running
/// ends as it began. Duplicates of `world` do not inherit the choice. Elements that have to be serialised are always
/// sent in standard mode: nobody can post the receive of a message whose length is not known yet.
///
/// Ready mode costs one more α for every pair of ranks with messages, and memory for all that a rank receives and
/// combines. In return MPI need not ask whether a receive is posted; measure whether yours makes use of it.
template <world World>
void configure(World const& world, execution chosen) {
    auto& ranks = communicator_of<World>::get(world);
    if constexpr (requires { set_ready_mode(ranks, chosen.ready_mode); }) {
        set_ready_mode(ranks, chosen.ready_mode);
    } else {
        constexpr bool has_ready_mode = requires { ranks.ready_mode(chosen.ready_mode); };
        static_assert(has_ready_mode,
                      "tutti: the ranks of this world have no ready mode (threads read what they receive where the "
                      "sender has it); configure an MPI_Comm or a boost::mpi::communicator, and leave others as they "
                      "are");
        if constexpr (has_ready_mode) { ranks.ready_mode(chosen.ready_mode); }
    }
}

/// Behind the planner boundary, as `perform_prepared`.
template <class C>
void set_nodes(C& ranks, node_map const& nodes);

/// Says which ranks of `world` share a node, in the place of what its communicator finds out; what is asked for from
/// now on goes by it. All ranks make this call, with the same map and between the same collectives. Duplicates of
/// `world` do not inherit it.
/// Errors: std::invalid_argument for a map of another number of ranks.
template <world World, std::same_as<node_map> Map>  // a list in braces is of the other kind
void configure(World const& world, Map const& nodes) {
    set_nodes(communicator_of<World>::get(world), nodes);
}

}  // namespace tutti

#ifndef TUTTI_COMPILED
#include <tutti/execution/set_nodes.hpp>
#endif
