// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <functional>

#include <tutti/mpi.hpp>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    double const sum = tutti::all_reduce(MPI_COMM_WORLD, 1.0, std::plus<>{});
    MPI_Finalize();
    return sum > 0 ? 0 : 1;
}
