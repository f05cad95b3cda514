// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <functional>
#include <vector>

#include <tutti/generator/ring.hpp>
#include <tutti/mpi.hpp>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    std::vector<double> sum(100, 1.0);
    tutti::all_reduce(MPI_COMM_WORLD, tutti::inplace(sum), std::plus<>{}, tutti::ring{});
    MPI_Finalize();
    return sum.front() > 0 ? 0 : 1;
}
