// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include <sched.h>

#include <tutti/communicator/mpi/declarations.hpp>

#include <tutti/communicator/mpi/communicator.hpp>
#include <tutti/communicator/mpi/duplicates.hpp>
#include <tutti/communicator/mpi/error.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/node_map.hpp>

// Levels inside a node: which ranks share a socket, or a cache, and so talk to each other faster than to the rest of
// their node. A level is a node_map, for the generators that are made for nodes:
//
//     auto const sockets = tutti::mpi::ranks_of_sockets(world);
//     tutti::all_reduce(world, in, out, op, tutti::hierarchical{.nodes = sockets});
namespace tutti::mpi {

/// What Linux lists of processors, below `root`.
class processors {
public:
    explicit processors(std::string root = "/sys/devices/system/cpu") : root_{std::move(root)} {}

    /// The number of a processor's socket.
    [[nodiscard]] std::optional<int> socket_of(int cpu) const {
        return number_in(folder_of(cpu) + "topology/physical_package_id");
    }

    /// The first processor that shares the data cache of a level with this one.
    [[nodiscard]] std::optional<int> cache_of(int cpu, int level) const {
        for (int index = 0;; ++index) {
            auto const cache = folder_of(cpu) + "cache/index" + std::to_string(index) + '/';
            auto const its_level = number_in(cache + "level");
            if (!its_level) { return std::nullopt; }
            std::string type;
            std::ifstream{cache + "type"} >> type;
            if (*its_level == level && type != "Instruction") { return number_in(cache + "shared_cpu_list"); }
        }
    }

private:
    [[nodiscard]] std::string folder_of(int cpu) const { return root_ + "/cpu" + std::to_string(cpu) + '/'; }

    // The first number of a file; nothing if there is none.
    [[nodiscard]] static std::optional<int> number_in(std::string const& path) {
        int result = 0;
        std::ifstream file{path};
        return file >> result ? std::optional{result} : std::nullopt;
    }

    std::string root_;
};

/// What `domain_of` returns for all processors on which this process may run; nothing if it is not the same for all of
/// them.
template <class DomainOf>
[[nodiscard]] std::optional<int> domain_of_process(DomainOf domain_of) {
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) { return std::nullopt; }
    std::optional<int> result;
    for (std::size_t cpu = 0; cpu != CPU_SETSIZE; ++cpu) {
        if (!CPU_ISSET(cpu, &allowed)) { continue; }
        auto const domain = domain_of(static_cast<int>(cpu));
        if (!domain || (result && *result != *domain)) { return std::nullopt; }
        result = domain;
    }
    return result;
}

/// The ranks of a node with the same `domain` share a node of the map. If one of them has none, all of the node do.
/// Requires: all ranks call; no node of the world's map is made of several machines, which number their domains alike.
/// Cost: one allgather of an int, and O(p).
[[nodiscard, gnu::cold]] inline node_map divided_nodes(MPI_Comm ranks, std::optional<int> domain) {
    constexpr int none = -1;
    auto& world = communicator_of<MPI_Comm>::get(ranks);
    auto const size = static_cast<std::size_t>(world.size());
    int const own = domain.value_or(none);
    dynamic_array<int> domains(size);
    ensure("MPI_Allgather", PMPI_Allgather(&own, 1, MPI_INT, domains.data(), 1, MPI_INT, ranks));
    auto const& nodes = world.nodes();
    dynamic_array<char> all_known(nodes.count(size), 1);  // of each node
    for (std::size_t rank = 0; rank != size; ++rank) {
        if (domains[rank] == none) { all_known[nodes.node_of(rank)] = 0; }
    }
    auto const highest = static_cast<std::size_t>(std::max(*std::max_element(domains.begin(), domains.end()), 0));
    dynamic_array<std::size_t> node_of_rank;
    for (std::size_t rank = 0; rank != size; ++rank) {
        auto const node = nodes.node_of(rank);
        auto const domain_there = all_known[node] != 0 ? static_cast<std::size_t>(domains[rank]) : 0;
        node_of_rank.push_back(node * (highest + 1) + domain_there);
    }
    return node_map{std::span<std::size_t const>{node_of_rank}};
}

/// Which ranks share a processor socket. Where ranks may run on several sockets (mpirun --bind-to core binds them), or
/// the system does not say, nodes are not divided.
/// Requires: all ranks call. Result: the same map on all ranks. Errors: `mpi::error`.
/// Cost: reads a file for each processor on which the rank may run (for caches, a few); one allgather of an int. Where
/// the kernel counts more than 1024 processors nodes are not divided.
[[nodiscard, gnu::cold]] inline node_map ranks_of_sockets(MPI_Comm ranks) {
    processors const here;
    return divided_nodes(ranks, domain_of_process([&](int cpu) { return here.socket_of(cpu); }));
}

/// The same for the data cache of a level: 3 for what is often the last one, which the cores of a chiplet share.
[[nodiscard, gnu::cold]] inline node_map ranks_of_caches(MPI_Comm ranks, int level = 3) {
    processors const here;
    return divided_nodes(ranks, domain_of_process([&](int cpu) { return here.cache_of(cpu, level); }));
}

}  // namespace tutti::mpi
