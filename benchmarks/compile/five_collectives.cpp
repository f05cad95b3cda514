// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <functional>
#include <vector>

#include <tutti/mpi.hpp>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int size = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    std::vector<double> const in(100, 1.0);
    std::vector<double> out(100);
    std::vector<double> all(100 * static_cast<std::size_t>(size));
    tutti::reduce(MPI_COMM_WORLD, in, out, std::plus<>{}, 0);
    tutti::broadcast(MPI_COMM_WORLD, out, 0);
    tutti::all_reduce(MPI_COMM_WORLD, in, out, std::plus<>{});
    tutti::exclusive_scan(MPI_COMM_WORLD, in, out, std::plus<>{});
    tutti::all_gather(MPI_COMM_WORLD, in, all);
    MPI_Finalize();
}
