// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstdlib>
#include <thread>

namespace tutti::mpi {

/// Whether the launcher has started more ranks on this machine than it has processors for them, so that a rank which
/// waits keeps others from running. Open MPI's launcher and Hydra, that of MPICH and its relatives, tell each rank how
/// many they are; of other launchers nothing is known. A question to MPI would be a collective call.
[[nodiscard]] inline bool ranks_take_turns() {
    for (auto const* const told : {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"}) {
        if (auto const* const ranks = std::getenv(told)) {
            return std::strtoul(ranks, nullptr, 10) > std::thread::hardware_concurrency();
        }
    }
    return false;
}

}  // namespace tutti::mpi
