// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <type_traits>

#include <tutti/communicator.hpp>

namespace tutti {

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
    using C = std::remove_cvref_t<decltype(ranks)>;
    static_assert(sends_ready<C>,
                  "tutti: the ranks of this world have no ready mode (threads read what they receive where the sender "
                  "has it); configure an MPI_Comm or a boost::mpi::communicator, and leave others as they are");
    if constexpr (sends_ready<C>) { ranks.ready_mode(chosen.ready_mode); }
}

}  // namespace tutti
