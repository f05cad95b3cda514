// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstdlib>
#include <exception>
#include <iostream>
#include <string_view>

#include <mpi.h>

#include "options.hpp"

namespace tutti::command_line {

/// What main returns, for a program whose ranks are MPI's: that of `run(rank, size)`, which says whether all was well.
/// Help and a refusal, the same on all ranks, are told by the first; any other failure ends them all.
template <class Run>
[[nodiscard]] int status_on_ranks(std::string_view program, Run const& run) {
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    try {
        return run(rank, size) ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (help const& asked) {
        if (rank == 0) { std::cout << asked.text; }
        return EXIT_SUCCESS;
    } catch (refusal const& mistake) {
        if (rank == 0) { complain(mistake.what(), program); }
        return refused;
    } catch (std::exception const& failure) {
        std::cerr << "rank " << rank << ": " << failure.what() << std::endl;
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
        return EXIT_FAILURE;
    }
}

}  // namespace tutti::command_line
