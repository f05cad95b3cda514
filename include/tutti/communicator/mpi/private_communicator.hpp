// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <array>
#include <atomic>
#include <stdexcept>

#include <tutti/communicator/mpi/declarations.hpp>

#include <tutti/communicator/mpi/environment.hpp>
#include <tutti/communicator/mpi/error.hpp>
#include <tutti/communicator/mpi/running.hpp>

namespace tutti::mpi {

/// A communicator of the ranks of `original` in their order, whose messages never meet those of `original`; all its
/// ranks have to call. Not by MPI_Comm_dup: that runs the copy callbacks of the user's attributes, and those of another
/// library may communicate, allocate or refuse. Hints and topologies are not inherited either.
/// Result: to be freed by the caller. Errors: std::invalid_argument for MPI_COMM_NULL and an intercommunicator,
/// std::logic_error while MPI does not run; those of MPI, by the error handler of `original`.
[[nodiscard]] inline MPI_Comm private_communicator(MPI_Comm original) {
    require_running();
    if (original == MPI_COMM_NULL) { throw std::invalid_argument{"tutti: the communicator is MPI_COMM_NULL"}; }
    int is_intercommunicator = 0;
    ensure("MPI_Comm_test_inter", MPI_Comm_test_inter(original, &is_intercommunicator));
    if (is_intercommunicator != 0) {
        throw std::invalid_argument{"tutti: the communicator is an intercommunicator; its ranks do not share one "
                                    "numbering, merge its two groups with MPI_Intercomm_merge first"};
    }
    MPI_Group ranks = MPI_GROUP_NULL;
    ensure("MPI_Comm_group", MPI_Comm_group(original, &ranks));
    MPI_Comm result = MPI_COMM_NULL;
    auto const status = MPI_Comm_create(original, ranks, &result);
    MPI_Group_free(&ranks);
    ensure("MPI_Comm_create", status);
    return result;
}

/// What the ranks of a communicator agree on when it is made, as the first of them says.
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
    ensure("MPI_Bcast", MPI_Bcast(agreed.data(), 5, MPI_INT, 0, ranks));
    return {{agreed[0], agreed[1]}, agreed[2] != 0, static_cast<memory_sharing>(agreed[3]), agreed[4] * 1e-3};
}

}  // namespace tutti::mpi
