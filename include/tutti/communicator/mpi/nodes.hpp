// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <span>

#include <tutti/communicator/mpi/declarations.hpp>

#include <tutti/communicator/mpi/agreement.hpp>
#include <tutti/communicator/mpi/error.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/node_map.hpp>

namespace tutti::mpi {

/// Which ranks of `ranks` share a node: those that could share memory. All of them have to call.
/// Errors: `mpi::error`, where the error handler of `ranks` lets MPI return.
/// Cost: one split and one allgather of an int. Result: the same map on all ranks.
[[nodiscard, gnu::cold]] inline node_map discovered_nodes(MPI_Comm ranks) {
    int rank = 0;
    int size = 0;
    ensure("MPI_Comm_rank", MPI_Comm_rank(ranks, &rank));
    ensure("MPI_Comm_size", MPI_Comm_size(ranks, &size));
    auto node = MPI_COMM_NULL;
    int const status = MPI_Comm_split_type(ranks, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
    if (!on_all(ranks, status == MPI_SUCCESS)) {
        ensure("MPI_Comm_split_type", status);
        throw error{"MPI_Comm_split_type, on another rank,", MPI_ERR_OTHER};
    }
    // a node is named after its first rank
    int name = rank;
    ensure("MPI_Bcast", PMPI_Bcast(&name, 1, MPI_INT, 0, node));
    ensure("MPI_Comm_free", MPI_Comm_free(&node));
    dynamic_array<int> names(static_cast<std::size_t>(size));
    ensure("MPI_Allgather", PMPI_Allgather(&name, 1, MPI_INT, names.data(), 1, MPI_INT, ranks));
    dynamic_array<std::size_t> node_of_rank;
    for (auto const each : names) { node_of_rank.push_back(static_cast<std::size_t>(each)); }
    return node_map{std::span<std::size_t const>{node_of_rank}};
}

}  // namespace tutti::mpi
