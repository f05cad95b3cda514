// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <string>

#include <preload/environment.hpp>

namespace tutti::preload {

/// The least numbers of bytes, of the whole vector, from which tutti performs calls of a function, as was measured.
struct threshold {
    enum library { open_mpi, mpich };  ///< the program's, or the nearest relative
    /// `parts`: all operators that may be applied to parts of vectors, and calls without an operator; `commuting` and
    /// `in_order`: those of them that commute, or do not; `whole`: users' operators, for whole vectors only.
    enum applied { parts, commuting, in_order, whole };
    enum source { by_loops, by_own, by_functor };  ///< of doc/constants.md

    static constexpr std::size_t never = std::numeric_limits<std::size_t>::max();

    function which;
    library over;
    applied how;
    std::size_t on_one_node = never;
    std::size_t in_turns = never;  ///< on one node, where ranks share processors
    std::size_t on_several = never;
    std::size_t at_most = never;  ///< longer vectors are left to MPI
    source figures = by_own;

    [[nodiscard]] constexpr bool is_for(function called, library program, applied op) const {
        return which == called && over == program && (how == op || (how == parts && op != whole));
    }
    [[nodiscard]] constexpr std::size_t least() const { return std::min({on_one_node, in_turns, on_several}); }

    /// For the report: "from 1 KiB, 4 KiB in turns, 512 KiB on several nodes; at most 1024 KiB".
    [[nodiscard]] std::string text() const {
        std::string result = "from";
        auto const add = [&](std::size_t bytes, char const* where) {
            if (bytes == never) { return; }
            result += result == "from" ? " " : ", ";
            result += bytes < kib ? std::to_string(bytes) + " B" : std::to_string(bytes / kib) + " KiB";
            result += where;
        };
        add(on_one_node, "");
        if (in_turns != on_one_node) { add(in_turns, " in turns"); }
        add(on_several, " on several nodes");
        if (at_most != never) { result += "; at most " + std::to_string(at_most / kib) + " KiB"; }
        return result;
    }

    static constexpr std::size_t kib = 1024;
};

/// A call for which there is no row gains nothing.
inline constexpr auto thresholds = [] {
    constexpr auto kib = threshold::kib;
    constexpr auto never = threshold::never;
    using enum function;
    using enum threshold::library;
    using enum threshold::applied;
    using enum threshold::source;
    return std::array{
        threshold{allreduce, open_mpi, commuting, 1, kib, never, never, by_loops},
        threshold{allreduce, open_mpi, in_order, 1, kib, 512 * kib, never, by_loops},
        threshold{allreduce, open_mpi, whole, 16 * kib, 16 * kib, never, 1024 * kib, by_functor},
        threshold{reduce, open_mpi, parts, 1, kib, never, 32 * kib, by_loops},
        threshold{reduce_scatter, open_mpi, commuting, kib, 4 * kib, 512 * kib, never, by_own},
        threshold{reduce_scatter, open_mpi, in_order, kib, 4 * kib, 8 * kib, never, by_own},
        threshold{reduce_scatter_block, open_mpi, commuting, kib, 4 * kib, 512 * kib, never, by_own},
        threshold{reduce_scatter_block, open_mpi, in_order, kib, 4 * kib, 8 * kib, never, by_own},
        threshold{scan, open_mpi, parts, 1, kib, never, never, by_loops},
        threshold{scan, open_mpi, whole, 16 * kib, 16 * kib, never, 1024 * kib, by_functor},
        threshold{exscan, open_mpi, parts, 1, kib, never, never, by_own},
        threshold{exscan, open_mpi, whole, 16 * kib, 16 * kib, never, 1024 * kib, by_functor},
        threshold{bcast, open_mpi, parts, 1, kib, never, never, by_loops},
        threshold{allgather, open_mpi, parts, 1, kib, never, never, by_loops},
        threshold{allgatherv, open_mpi, parts, 4 * kib, 4 * kib, never, never, by_own},
        threshold{gather, open_mpi, parts, 4 * kib, 4 * kib, never, never, by_own},
        threshold{scatter, open_mpi, parts, 4 * kib, 4 * kib, never, never, by_own},
        threshold{allreduce, mpich, parts, 1, 1, 64 * kib, never, by_loops},
        threshold{allreduce, mpich, whole, kib, kib, never, 512 * kib, by_functor},
        threshold{reduce, mpich, parts, 1, 1, 64 * kib, never, by_loops},
        threshold{reduce, mpich, whole, 16 * kib, 16 * kib, never, never, by_functor},
        threshold{reduce_scatter, mpich, commuting, kib, kib, never, never, by_own},
        threshold{reduce_scatter, mpich, in_order, kib, kib, 64 * kib, never, by_own},
        threshold{reduce_scatter, mpich, whole, kib, kib, never, never, by_functor},
        threshold{reduce_scatter_block, mpich, commuting, kib, kib, never, never, by_own},
        threshold{reduce_scatter_block, mpich, in_order, kib, kib, 64 * kib, never, by_own},
        threshold{reduce_scatter_block, mpich, whole, kib, kib, never, never, by_functor},
        threshold{scan, mpich, parts, 1, 1, kib, never, by_loops},
        threshold{scan, mpich, whole, kib, kib, never, never, by_functor},
        threshold{exscan, mpich, parts, 1, 1, 8 * kib, never, by_own},
        threshold{exscan, mpich, whole, kib, kib, never, never, by_functor},
        threshold{bcast, mpich, parts, 1, 1, never, never, by_loops},
        threshold{allgather, mpich, parts, 1, 1, never, never, by_loops},
        threshold{allgatherv, mpich, parts, 16 * kib, 16 * kib, never, never, by_own},
        threshold{gather, mpich, parts, 16 * kib, 16 * kib, never, never, by_own},
        threshold{scatter, mpich, parts, 16 * kib, 16 * kib, never, never, by_own},
    };
}();

}  // namespace tutti::preload
