// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <array>
#include <cstddef>
#include <cstdio>
#include <map>
#include <mutex>
#include <string>
#include <tuple>

#include <tutti/accelerator/environment.hpp>
#include <tutti/communicator/mpi/declarations.hpp>

namespace tutti::accelerator {

/// MPI's functions that are intercepted.
enum class function {
    all_reduce,
    reduce,
    reduce_scatter,
    reduce_scatter_block,
    scan,
    exscan,
    broadcast,
    gather,
    gatherv,
    scatter,
    scatterv,
    all_gather,
    all_gatherv,
    barrier
};
[[nodiscard]] constexpr bool combines(function which) { return which <= function::exscan; }
inline constexpr std::array function_names{
    "MPI_Allreduce",  "MPI_Reduce",  "MPI_Reduce_scatter", "MPI_Reduce_scatter_block",
    "MPI_Scan",       "MPI_Exscan",  "MPI_Bcast",          "MPI_Gather",
    "MPI_Gatherv",    "MPI_Scatter", "MPI_Scatterv",       "MPI_Allgather",
    "MPI_Allgatherv", "MPI_Barrier"};

/// What this rank has called, and what became of it. Only rank 0 of MPI_COMM_WORLD prints its own.
class report {
public:
    [[nodiscard]] static report& get() {
        static report all;
        return all;
    }

    /// A call that tutti has performed, of so many bytes on this rank, by an algorithm.
    void taken(function which, std::size_t bytes, std::string const& algorithm) {
        auto const lock = std::lock_guard{guard_};
        add(rows_[{which, algorithm}], bytes);
    }
    /// A call that was left to MPI.
    void left(function which, std::size_t bytes) {
        auto const lock = std::lock_guard{guard_};
        add(rows_[{which, "(MPI)"}], bytes);
    }

    void print() {
        int rank = 0;
        if (PMPI_Comm_rank(MPI_COMM_WORLD, &rank) != MPI_SUCCESS || rank != 0) { return; }
        auto const lock = std::lock_guard{guard_};
        std::fprintf(stderr, "tutti: calls of rank 0\n%-26s %12s %16s  %s\n", "function", "calls", "bytes",
                     "algorithm");
        for (auto const& [what, sum] : rows_) {
            std::fprintf(stderr, "%-26s %12zu %16zu  %s\n", function_names.at(static_cast<std::size_t>(what.first)),
                         sum.calls, sum.bytes, what.second.c_str());
        }
    }

private:
    struct row {
        std::size_t calls = 0;
        std::size_t bytes = 0;
    };
    static void add(row& to, std::size_t bytes) {
        ++to.calls;
        to.bytes += bytes;
    }

    std::mutex guard_;
    std::map<std::pair<function, std::string>, row> rows_;
};

}  // namespace tutti::accelerator
