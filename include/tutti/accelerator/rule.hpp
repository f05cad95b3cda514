// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>

#include <tutti/accelerator/environment.hpp>
#include <tutti/accelerator/operators.hpp>
#include <tutti/accelerator/report.hpp>

namespace tutti::accelerator {

/// Which calls tutti performs: the others go to MPI. What decides is the same on all ranks of a call, as the MPI standard
/// requires of a program: the function, the bytes of the vector, whether the operator is the user's, and the number of
/// ranks. (Of MPI_Gatherv and MPI_Scatterv only the root knows the bytes: they are never taken by size.)
[[nodiscard]] inline bool is_worthwhile(function which, std::size_t bytes, int ranks, MPI_Op op) {
    if (environment::get().all) { return true; }
    constexpr std::size_t kib = 1024;
    if (ranks < 4) { return false; }
    switch (which) {
    case function::all_reduce:
    case function::reduce:
    case function::reduce_scatter:
    case function::reduce_scatter_block: return bytes >= 64 * kib && is_users(op);
    case function::scan:
    case function::exscan: return bytes >= 64 * kib;
    default: return false;
    }
}

}  // namespace tutti::accelerator
