// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
//
// Plain MPI: a communicator is an MPI_Comm, and tutti needs nothing else. mpirun -n 4 mpi_sum
#include <cstddef>
#include <functional>
#include <iostream>
#include <span>
#include <vector>

#include <mpi.h>

#include <tutti/mpi.hpp>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    // Elements 1, 2, 4, ... on rank 0, twice as much on rank 1, and so on; only rank 0 uses the sums.
    std::vector<long> values(5, rank + 1);
    for (std::size_t i = 0; i < values.size(); ++i) { values[i] <<= i; }
    std::vector<long> sums(values.size());
    tutti::reduce(MPI_COMM_WORLD, values, sums, std::plus<>{}, 0);

    // A single value is returned; a part of a vector is a span.
    int const last = tutti::all_reduce(MPI_COMM_WORLD, rank, tutti::maximum<>{});
    tutti::all_reduce(MPI_COMM_WORLD, tutti::inplace(std::span{values}.first(2)), std::multiplies<>{});

    if (rank == 0) {
        std::cout << "sums over " << size << " ranks:";
        for (auto const sum : sums) { std::cout << ' ' << sum; }
        std::cout << "\nlast rank: " << last << "\nproducts of the first two: " << values[0] << ' ' << values[1]
                  << '\n';
    }
    MPI_Finalize();
}
