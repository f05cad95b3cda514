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

/// Makes a world usable again after a collective on it has failed in communication: different numbers of elements, an
/// error of MPI, a plan destroyed by an exception. Until then all calls on it throw `communicator_failed`.
///
/// Requires: all ranks of `world` call it, including those without an error, and none waits in a collective of it.
/// Result: no earlier message is received later, and all ranks number their calls alike. Plans that were running are
/// abandoned, and their `wait` throws; they may be started again.
/// Errors: those of the communicator, after which the world is unchanged. Over threads: the reason why the team ended,
/// since a team does not recover.
/// Cost: over MPI another duplicate of the communicator, and of shared memory. Resources of abandoned messages stay
/// with MPI until MPI_Finalize.
template <world World>
void recover(World const& world) {
    engine::recover_ranks(communicator_of<World>::get(world));
}

}  // namespace tutti

#define TUTTI_UNLESS_LINKED <tutti/communicator.hpp>
#include <tutti/seam.hpp>
