// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <tutti/mpi.hpp>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    double x = 1;
    x = tutti::all_reduce(MPI_COMM_WORLD, x, [](double a, double b) { return a + b + 1 * a * b; });
    x = tutti::all_reduce(MPI_COMM_WORLD, x, [](double a, double b) { return a + b + 2 * a * b; });
    x = tutti::all_reduce(MPI_COMM_WORLD, x, [](double a, double b) { return a + b + 3 * a * b; });
    x = tutti::all_reduce(MPI_COMM_WORLD, x, [](double a, double b) { return a + b + 4 * a * b; });
    x = tutti::all_reduce(MPI_COMM_WORLD, x, [](double a, double b) { return a + b + 5 * a * b; });
    x = tutti::all_reduce(MPI_COMM_WORLD, x, [](double a, double b) { return a + b + 6 * a * b; });
    x = tutti::all_reduce(MPI_COMM_WORLD, x, [](double a, double b) { return a + b + 7 * a * b; });
    x = tutti::all_reduce(MPI_COMM_WORLD, x, [](double a, double b) { return a + b + 8 * a * b; });
    x = tutti::all_reduce(MPI_COMM_WORLD, x, [](double a, double b) { return a + b + 9 * a * b; });
    x = tutti::all_reduce(MPI_COMM_WORLD, x, [](double a, double b) { return a * b; });
    MPI_Finalize();
    return x > 0 ? 0 : 1;
}
