// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <array>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <stdexcept>
#include <string_view>

#include <tutti/communicator/mpi/declarations.hpp>

#include <tutti/communicator.hpp>
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

/// Whether the environment of this rank asks for calls to be compared: TUTTI_CHECK=1.
[[nodiscard]] inline bool check_is_wanted() {
    auto const* const value = std::getenv("TUTTI_CHECK");
    return value != nullptr && std::string_view{value} == "1";
}

/// What TUTTI_SHARED_MEMORY says in the environment of this rank, as a number of `memory_sharing`; -1 for another word.
[[nodiscard]] inline int wanted_sharing() {
    auto const* const found = std::getenv("TUTTI_SHARED_MEMORY");
    std::string_view const word = found != nullptr ? found : "automatic";
    if (word == "automatic" || word.empty()) { return static_cast<int>(memory_sharing::automatic); }
    if (word == "always") { return static_cast<int>(memory_sharing::always); }
    return word == "never" ? static_cast<int>(memory_sharing::never) : -1;
}

/// What TUTTI_TIMEOUT says in the environment of this rank, in milliseconds, 0 if nothing; -1 for what is no time.
[[nodiscard]] inline int wanted_timeout() {
    auto const* const found = std::getenv("TUTTI_TIMEOUT");
    if (found == nullptr || *found == '\0') { return 0; }
    char* end = nullptr;
    auto const seconds = std::strtod(found, &end);
    return *end == '\0' && seconds >= 0 && seconds <= 2e6 ? static_cast<int>(std::ceil(seconds * 1e3)) : -1;
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

/// Collective over `ranks`. Errors: std::invalid_argument on all of them for an unknown TUTTI_SHARED_MEMORY or TUTTI_TIMEOUT.
[[nodiscard, gnu::cold]] inline agreement agree(MPI_Comm ranks) {
    static std::atomic<int> made{0};
    std::array<int, 5> agreed{};
    ensure("MPI_Comm_rank", MPI_Comm_rank(MPI_COMM_WORLD, &agreed[0]));
    agreed[1] = made.fetch_add(1, std::memory_order_relaxed);
    agreed[2] = check_is_wanted() ? 1 : 0;
    agreed[3] = wanted_sharing();
    agreed[4] = wanted_timeout();
    ensure("MPI_Bcast", MPI_Bcast(agreed.data(), 5, MPI_INT, 0, ranks));
    if (agreed[3] < 0) {
        throw std::invalid_argument{
            "tutti: TUTTI_SHARED_MEMORY in the environment of the first rank must be always, never or automatic"};
    }
    if (agreed[4] < 0) {
        throw std::invalid_argument{
            "tutti: TUTTI_TIMEOUT in the environment of the first rank must be a number of seconds, such as 30"};
    }
    return {{agreed[0], agreed[1]}, agreed[2] != 0, static_cast<memory_sharing>(agreed[3]), agreed[4] * 1e-3};
}

}  // namespace tutti::mpi
