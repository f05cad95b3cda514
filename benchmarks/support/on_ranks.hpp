// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

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
    } catch (usage_error const& mistake) {
        if (rank == 0) { complain(mistake.what(), program); }
        return refused;
    } catch (std::exception const& failure) {
        std::cerr << "rank " << rank << ": " << failure.what() << std::endl;
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
        return EXIT_FAILURE;
    }
}

/// On rank 0: each number combined over all ranks. By single messages: no collective under test is involved.
template <class Combine>
[[nodiscard]] std::vector<double> combined_on_first(std::vector<double> numbers, Combine combine) {
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    auto const n = static_cast<int>(numbers.size());
    if (rank != 0) {
        MPI_Send(numbers.data(), n, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
        return numbers;
    }
    std::vector<double> theirs(numbers.size());
    for (int peer = 1; peer < size; ++peer) {
        MPI_Recv(theirs.data(), n, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        std::transform(numbers.begin(), numbers.end(), theirs.begin(), numbers.begin(), combine);
    }
    return numbers;
}

}  // namespace tutti::command_line
