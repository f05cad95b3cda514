// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include <tutti/accelerator/environment.hpp>
#include <tutti/accelerator/handles.hpp>
#include <tutti/accelerator/report.hpp>

namespace tutti::accelerator {

/// Nonblocking calls are taken with TUTTI=all only: they need MPI_THREAD_MULTIPLE and a thread for each
/// communicator, see workers.hpp, and whether that pays has not been measured. Persistent calls are never taken: ranks
/// may start theirs in different orders, so that each call needs a thread of its own (tried with requests that are
/// receives from the rank itself: 14 threads a rank, all of which look for messages, took more than a minute for 14
/// calls of 5 KB on 2 ranks, 2 processors and MPICH 4.0, November 2026).
[[nodiscard]] inline bool nonblocking_is_worthwhile() { return environment::get().all; }

/// Asked of the library, since one compiled for the standard ABI of MPI 5 runs with any that has it.
[[nodiscard]] inline bool is_open_mpi() {
    static bool const is = [] {
        std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> name{};
        int length = 0;
        return PMPI_Get_library_version(name.data(), &length) == MPI_SUCCESS &&
               std::string_view{name.data()}.starts_with("Open MPI");
    }();
    return is;
}

/// Which calls tutti performs: the others go to MPI. What decides is the same on all ranks of a call, as the MPI
/// standard requires of a program: the function, the bytes of the whole vector, and the operator. (Of MPI_Gatherv and
/// MPI_Scatterv only the root knows the bytes: they are never taken by size.)
///
/// The bounds are the shortest vectors from which on tutti took about 0.85 of the time of the library, or less, in
/// nearly all lengths measured (not a reduce of 4 MiB that does not commute over MPICH, which took 2.1 times as long):
/// 16 B to 4 MiB of doubles, sums and users' operators; 2 ranks of a node with two processors, and over Open MPI also 4
/// ranks on these; November 2026, Open MPI 4.1 (without copies from process to process) and MPICH 4.0.
[[nodiscard]] inline bool is_worthwhile(function which, std::size_t bytes, MPI_Op op) {
    if (environment::get().all) { return true; }
    constexpr std::size_t kib = 1024;
    if (is_open_mpi()) {
        switch (which) {
        case function::all_reduce: return bytes >= 512 * kib && !commutes(op);
        case function::reduce_scatter:
        case function::reduce_scatter_block: return bytes >= (commutes(op) ? 512 * kib : 8 * kib);
        default: return false;
        }
    }
    switch (which) {
    case function::all_reduce: return bytes >= 64 * kib;
    case function::reduce: return bytes >= 64 * kib;
    case function::scan: return bytes >= kib;
    case function::exscan: return bytes >= 8 * kib;
    case function::reduce_scatter:
    case function::reduce_scatter_block: return bytes >= 64 * kib && !commutes(op);
    default: return false;
    }
}

}  // namespace tutti::accelerator
