// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/communicator/call_stamps.hpp>
#include <tutti/communicator/world.hpp>

namespace tutti {

namespace engine {

/// Linked for tutti's own communicators, as `perform_prepared`.
template <class C>
void recover_ranks(C& ranks) {
    ranks.supervisor().recover([&] { ranks.recover(); });
    ranks.store().template get<call_stamps>().forget();
}

}  // namespace engine

/// Makes a world usable again after a collective on it has failed in communication: other numbers of elements on other
/// ranks, an error of MPI, a plan destroyed by an exception. Until then all calls on it throw `communicator_failed`.
///
/// Requires: all ranks of `world` call it, those that heard of no failure too, and none waits in a collective of
/// it.
/// Result: no message from before is received later; the ranks' calls are numbered from one place on. Plans that were
/// running are given up, and their `wait` throws; they may be started again.
/// Errors: those of the communicator, and then the world stays as it was; over threads what has ended the team, which
/// does not recover.
/// Cost: over MPI another duplicate of the communicator, and of shared memory; what messages have left behind stays
/// with MPI until MPI_Finalize.
template <world World>
void recover(World const& world) {
    engine::recover_ranks(communicator_of<World>::get(world));
}

}  // namespace tutti

#define TUTTI_UNLESS_LINKED <tutti/communicator.hpp>
#include <tutti/seam.hpp>
