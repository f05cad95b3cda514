// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <numeric>
#include <vector>

#include <tutti/communicator/mpi/declarations.hpp>

namespace tutti::pmpi {

/// Ranks of the group of this one.
[[nodiscard]] inline std::size_t comm_size(MPI_Comm comm) {
    int size = 0;
    return comm != MPI_COMM_NULL && PMPI_Comm_size(comm, &size) == MPI_SUCCESS ? static_cast<std::size_t>(size) : 0;
}

[[nodiscard]] inline int rank_of(MPI_Comm comm) {
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    return rank;
}

/// The ranks in MPI_COMM_WORLD of a communicator's group, or of its remote group; MPI_UNDEFINED for those of another
/// MPI_COMM_WORLD.
[[nodiscard]] inline std::vector<int> world_ranks(MPI_Comm comm,
                                                  int (*group_of)(MPI_Comm, MPI_Group*) = &PMPI_Comm_group) {
    MPI_Group world = MPI_GROUP_NULL;
    MPI_Group group = MPI_GROUP_NULL;
    int size = 0;
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    group_of(comm, &group);
    PMPI_Group_size(group, &size);
    std::vector<int> ranks(static_cast<std::size_t>(size));
    std::iota(ranks.begin(), ranks.end(), 0);
    std::vector<int> result(ranks.size(), MPI_UNDEFINED);
    PMPI_Group_translate_ranks(group, size, ranks.data(), world, result.data());
    PMPI_Group_free(&group);
    PMPI_Group_free(&world);
    return result;
}

}  // namespace tutti::pmpi
