// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <array>
#include <atomic>
#include <cstdlib>
#include <string_view>

#include <tutti/communicator/mpi/declarations.hpp>

#include <tutti/communicator/mpi/error.hpp>

namespace tutti::mpi {

/// Whether the environment of this rank asks for calls to be compared: TUTTI_CHECK=1.
[[nodiscard]] inline bool check_is_wanted() {
    auto const* const agreed = std::getenv("TUTTI_CHECK");
    return agreed != nullptr && std::string_view{agreed} == "1";
}

/// What the ranks of a communicator agree on when it is made, as the first of them says.
struct agreement {
    /// The number of that rank in MPI_COMM_WORLD, and how many agreements it has made before: threads may make them in
    /// another order on each rank.
    std::array<int, 2> identity;
    bool checks_calls;
};

/// Collective over `ranks`.
[[nodiscard, gnu::cold]] inline agreement agree(MPI_Comm ranks) {
    static std::atomic<int> made{0};
    std::array<int, 3> agreed{};
    check("MPI_Comm_rank", MPI_Comm_rank(MPI_COMM_WORLD, &agreed[0]));
    agreed[1] = made.fetch_add(1, std::memory_order_relaxed);
    agreed[2] = check_is_wanted() ? 1 : 0;
    check("MPI_Bcast", MPI_Bcast(agreed.data(), 3, MPI_INT, 0, ranks));
    return {{agreed[0], agreed[1]}, agreed[2] != 0};
}

}  // namespace tutti::mpi
