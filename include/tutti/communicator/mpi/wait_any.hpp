// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstdlib>
#include <span>
#include <thread>

#include <tutti/communicator/mpi/declarations.hpp>

#include <tutti/communicator/backoff.hpp>

namespace tutti::mpi {

/// Whether the launcher has started more ranks on this machine than it has processors for them, so that a rank which
/// waits keeps others from running. Open MPI's launcher and Hydra, that of MPICH and its relatives, tell each rank how
/// many they are; of other launchers nothing is known. A question to MPI would be a collective call.
[[nodiscard]] inline bool ranks_take_turns() {
    for (auto const* const variable : {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"}) {
        if (auto const* const ranks = std::getenv(variable)) {
            return std::strtoul(ranks, nullptr, 10) > std::thread::hardware_concurrency();
        }
    }
    return false;
}

/// How a rank waits that looks by MPI, which by itself may never yield (MPICH).
[[nodiscard]] inline backoff::limits limits_of_looks(bool take_turns = ranks_take_turns()) {
    return {.few = 16, .most = take_turns ? 16U : 500U};
}

/// MPI_Waitany, that lets others run when it has looked in vain for a while, and now and then calls `check_peers`, which
/// may throw. In a simulation by SMPI, where a rank that looks again takes no time, it is MPI_Waitany.
template <class CheckPeers>
[[nodiscard]] int wait_any([[maybe_unused]] backoff& how, std::span<MPI_Request> requests, int& index,
                           MPI_Status& status, [[maybe_unused]] CheckPeers check_peers) {
    auto const count = static_cast<int>(requests.size());
#ifdef SMPI_SHARED_MALLOC
    return MPI_Waitany(count, requests.data(), &index, &status);
#else
    constexpr unsigned looks_between_times = 64;  // others may run for milliseconds after each of them
    constexpr double between_checks = 0.5e-3;     // s
    int ended = 0;
    double next = 0;  // s
    how.begin();
    for (unsigned looks = 1;; ++looks) {
        int const code = MPI_Testany(count, requests.data(), &index, &ended, &status);
        if (ended != 0 || code != MPI_SUCCESS) { return code; }
        static_cast<void>(how.next());
        if (looks % looks_between_times != 0) { continue; }
        auto const now = MPI_Wtime();
        if (next != 0 && now >= next) { check_peers(); }
        if (now >= next) { next = now + between_checks; }
    }
#endif
}

}  // namespace tutti::mpi
