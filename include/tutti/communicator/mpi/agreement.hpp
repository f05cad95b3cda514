// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <array>
#include <atomic>
#include <exception>

#include <tutti/communicator/mpi/declarations.hpp>

#include <tutti/communicator.hpp>
#include <tutti/communicator/mpi/environment.hpp>
#include <tutti/communicator/mpi/error.hpp>

namespace tutti::mpi {

/// False on all ranks if it is false on one. All of them have to call.
[[nodiscard]] inline bool on_all(MPI_Comm ranks, bool here) {
    int value = here ? 1 : 0;
    ensure("MPI_Allreduce", PMPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_MIN, ranks));
    return value != 0;
}

/// Performs `action`, in which no rank waits for another; if it throws on one, all ranks throw, so that none goes on
/// alone to what they do together. All of them have to call.
template <class Action>
[[gnu::cold]] void require_on_all(MPI_Comm ranks, Action action) {
    std::exception_ptr why;
    try {
        action();
    } catch (...) { why = std::current_exception(); }
    if (on_all(ranks, why == nullptr)) { return; }
    if (why != nullptr) { std::rethrow_exception(why); }
    throw error{"what all ranks need, on another rank, which has the reason,", MPI_ERR_OTHER};
}

/// What the ranks of a communicator agree on when it is made, by the values of the first of them.
struct agreement {
    /// The number of that rank in MPI_COMM_WORLD, and how many agreements it has made before: threads may make them in
    /// another order on each rank.
    std::array<int, 2> identity;
    bool checks_calls;
    memory_sharing sharing;
    double timeout;  ///< in seconds; 0: never
};

/// Collective over `ranks`.
[[nodiscard, gnu::cold]] inline agreement agree(MPI_Comm ranks) {
    static std::atomic<int> made{0};
    std::array<int, 5> agreed{};
    int rank = 0;
    ensure("MPI_Comm_rank", MPI_Comm_rank(ranks, &rank));
    ensure("MPI_Comm_rank", MPI_Comm_rank(MPI_COMM_WORLD, &agreed[0]));
    agreed[1] = made.fetch_add(1, std::memory_order_relaxed);
    if (rank == 0) {
        agreed[2] = environment::checks_calls() ? 1 : 0;
        agreed[3] = static_cast<int>(environment::sharing());
        agreed[4] = environment::time_limit();
    }
    ensure("MPI_Bcast", PMPI_Bcast(agreed.data(), 5, MPI_INT, 0, ranks));
    return {{agreed[0], agreed[1]}, agreed[2] != 0, static_cast<memory_sharing>(agreed[3]), agreed[4] * 1e-3};
}

}  // namespace tutti::mpi
