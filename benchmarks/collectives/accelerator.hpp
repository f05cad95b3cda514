// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstdlib>
#include <string>

#include <dlfcn.h>

#include "../support/options.hpp"
#include "calls.hpp"

/// The collectives of libtutti_mpi.so as programs call them that preload it.
namespace tutti::benchmark::accelerator {

template <class Function>
void find(void* library, char const* name, Function& result) {
    result = reinterpret_cast<Function>(dlsym(library, name));
    if (result == nullptr) { throw command_line::usage_error{std::string{"the accelerator has no "} + name}; }
}

/// Of the file that TUTTI_ACCELERATOR names. Throws `usage_error` where it cannot be used.
[[nodiscard]] inline by_mpi::functions functions() {
    auto const* const file = std::getenv("TUTTI_ACCELERATOR");
    if (file == nullptr) {
        throw command_line::usage_error{"TUTTI_ACCELERATOR names no library; './dev accelerate --print' does"};
    }
    auto* const library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) { throw command_line::usage_error{dlerror()}; }
    by_mpi::functions result;
    find(library, "MPI_Allgather", result.allgather);
    find(library, "MPI_Allgatherv", result.allgatherv);
    find(library, "MPI_Allreduce", result.allreduce);
    find(library, "MPI_Bcast", result.bcast);
    find(library, "MPI_Exscan", result.exscan);
    find(library, "MPI_Gather", result.gather);
    find(library, "MPI_Gatherv", result.gatherv);
    find(library, "MPI_Reduce", result.reduce);
    find(library, "MPI_Reduce_scatter", result.reduce_scatter);
    find(library, "MPI_Reduce_scatter_block", result.reduce_scatter_block);
    find(library, "MPI_Scan", result.scan);
    find(library, "MPI_Scatter", result.scatter);
    find(library, "MPI_Scatterv", result.scatterv);
    return result;
}

}  // namespace tutti::benchmark::accelerator
