// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
//
// A solver's file: 11 calls of 4 collectives. Compiled with -DBY_MPI, the same by MPI alone.
#include <array>
#include <cstddef>
#include <vector>

#include <mpi.h>

#ifdef BY_MPI

double sum(double x) {
    MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return x;
}
double largest(double x) {
    MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return x;
}
long total(long x) {
    MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    return x;
}
void add(std::vector<double>& x) {
    MPI_Allreduce(MPI_IN_PLACE, x.data(), static_cast<int>(x.size()), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}
void add(std::array<double, 3>& x) { MPI_Allreduce(MPI_IN_PLACE, x.data(), 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); }
long before(long x) {
    long result = 0;
    MPI_Exscan(&x, &result, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    return result;
}
void read(std::vector<double>& x) { MPI_Bcast(x.data(), static_cast<int>(x.size()), MPI_DOUBLE, 0, MPI_COMM_WORLD); }
void read(int& x) { MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD); }
void report(double x, double& all) { MPI_Reduce(&x, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD); }
void report(std::vector<double> const& x, std::vector<double>& all) {
    MPI_Reduce(x.data(), all.data(), static_cast<int>(x.size()), MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
}
void report(long x, long& all) { MPI_Reduce(&x, &all, 1, MPI_LONG, MPI_MAX, 0, MPI_COMM_WORLD); }

#else

#include <functional>

#include <tutti/mpi.hpp>

double sum(double x) { return tutti::all_reduce(MPI_COMM_WORLD, x, std::plus<>{}); }
double largest(double x) { return tutti::all_reduce(MPI_COMM_WORLD, x, tutti::maximum<>{}); }
long total(long x) { return tutti::all_reduce(MPI_COMM_WORLD, x, std::plus<>{}); }
void add(std::vector<double>& x) { tutti::all_reduce(MPI_COMM_WORLD, tutti::inplace(x), std::plus<>{}); }
void add(std::array<double, 3>& x) { tutti::all_reduce(MPI_COMM_WORLD, tutti::inplace(x), std::plus<>{}); }
long before(long x) { return tutti::exclusive_scan(MPI_COMM_WORLD, x, std::plus<>{}); }
void read(std::vector<double>& x) { tutti::broadcast(MPI_COMM_WORLD, x, 0); }
void read(int& x) { tutti::broadcast(MPI_COMM_WORLD, x, 0); }
void report(double x, double& all) { tutti::reduce(MPI_COMM_WORLD, x, all, std::plus<>{}, 0); }
void report(std::vector<double> const& x, std::vector<double>& all) {
    tutti::reduce(MPI_COMM_WORLD, x, all, std::plus<>{}, 0);
}
void report(long x, long& all) { tutti::reduce(MPI_COMM_WORLD, x, all, tutti::maximum<>{}, 0); }

#endif
