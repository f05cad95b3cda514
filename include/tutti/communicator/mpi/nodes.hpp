// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#ifdef __linux__
#include <sched.h>
#endif

#include <tutti/communicator/mpi/declarations.hpp>

#include <tutti/communicator/mpi/agreement.hpp>
#include <tutti/communicator/mpi/error.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/node_map.hpp>

namespace tutti::mpi {

/// Processors of a node: a bit for each on which a rank may run.
using processor_set = std::array<std::uint64_t, 16>;

/// Those of this process; none where the system does not say, or has more than there are bits.
[[nodiscard, gnu::cold]] inline processor_set own_processors() {
    processor_set result{};
#ifdef __linux__
    static_cast<void>(sched_getaffinity(0, sizeof(result), reinterpret_cast<cpu_set_t*>(result.data())));
#endif
    return result;
}

/// Which ranks of `ranks` share a node: those that could share memory; and on how many processors the ranks of a node
/// may run, on the node where these are the fewest. All ranks have to call.
/// Errors: `mpi::error`, where the error handler of `ranks` lets MPI return.
/// Cost: one split, one allreduce of 128 bytes on each node, one allgather of two ints. Result: the same map on all
/// ranks.
[[nodiscard, gnu::cold]] inline node_map discovered_nodes(MPI_Comm ranks) {
    int rank = 0;
    int size = 0;
    ensure("MPI_Comm_rank", MPI_Comm_rank(ranks, &rank));
    ensure("MPI_Comm_size", MPI_Comm_size(ranks, &size));
    auto node = MPI_COMM_NULL;
    int const status = MPI_Comm_split_type(ranks, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
    dynamic_array<int> of_all;
    require_on_all(ranks, [&] {
        ensure("MPI_Comm_split_type", status);
        of_all.resize(2 * static_cast<std::size_t>(size));
    });
    // a node is named after its first rank
    int name = rank;
    ensure("MPI_Bcast", PMPI_Bcast(&name, 1, MPI_INT, 0, node));
    auto const own = own_processors();
    processor_set all{};
    ensure("MPI_Allreduce", PMPI_Allreduce(own.data(), all.data(), static_cast<int>(all.size()), MPI_UINT64_T, MPI_BOR,
                                           node));
    ensure("MPI_Comm_free", MPI_Comm_free(&node));
    std::array<int, 2> said{name, 0};
    for (auto const word : all) { said[1] += std::popcount(word); }
    ensure("MPI_Allgather", PMPI_Allgather(said.data(), 2, MPI_INT, of_all.data(), 2, MPI_INT, ranks));
    node_map result;
    require_on_all(ranks, [&] {
        dynamic_array<std::size_t> node_of_rank;
        auto processors = said[1];
        for (std::size_t i = 0; i != of_all.size(); i += 2) {
            node_of_rank.push_back(static_cast<std::size_t>(of_all[i]));
            processors = std::min(processors, of_all[i + 1]);
        }
        result =
            node_map{std::span<std::size_t const>{node_of_rank}}.with_processors(static_cast<std::size_t>(processors));
    });
    return result;
}

}  // namespace tutti::mpi
