// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <cmath>
#include <iostream>
#include <tutti/mpi.hpp>

/// The length of a distributed vector; this rank's elements alone have the length `mine`.
template <class World>
double norm(World const& world, double mine) {
    auto const longer = [](double a, double b) { return std::hypot(a, b); };
    return tutti::all_reduce(world, mine, tutti::commutative(longer));
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double const all = norm(MPI_COMM_WORLD, rank + 1.0);
    if (rank == 0) { std::cout << "the square of the norm is " << std::round(all * all) << '\n'; }
    MPI_Finalize();
}
