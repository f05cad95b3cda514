// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <functional>

#include <mpi.h>

#include <tutti/mpi.hpp>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int const sum = tutti::all_reduce(MPI_COMM_WORLD, rank, std::plus<>{});
    MPI_Finalize();
    return sum == size * (size - 1) / 2 ? 0 : 1;
}
