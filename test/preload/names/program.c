/* Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0. */

/* A program of MPI in C that uses library.c: calls of its functions go there, with all that they are given, the first
 * one and later ones, before MPI_Init and after it, and calls of MPI go to MPI. */
#include <support/check.h>

struct two {
    double x;
    long n;
};
#define TUTTI_FUNCTION(C, name, NAME, does, roles)                                                                     \
    double mpi_##name(double x, intptr_t n);                                                                           \
    int mpi_##name##_(char const* format, ...);                                                                        \
    struct two mpi_##name##__(struct two a, int b, int c, int d, int e, int f, int g, int h, int i);
#include <pmpi/functions.def>

#define TUTTI_FUNCTION(C, name, NAME, does, roles)                                                                     \
    check(mpi_##name(0.5, 41) == 41.5, "mpi_" #name);                                                                  \
    check(mpi_##name##_("didddiiiddd", 1., 2, 3., 4., 5., 6, 7, 8, 9., 10., 11.) == 66, "mpi_" #name "_");             \
    {                                                                                                                  \
        struct two const start = {0.5, 7};                                                                             \
        struct two const got = mpi_##name##__(start, 1, 2, 3, 4, 5, 6, 7, 8);                                          \
        check(got.x == 10.5 && got.n == 33, "mpi_" #name "__");                                                        \
    }
static void call_all(void) {
#include <pmpi/functions.def>
}

int main(int argc, char** argv) {
    call_all();
    begin_mpi(&argc, &argv);
    for (int i = 0; i != 100; ++i) {
        int sum = 0, all[300] = {i + rank};
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        MPI_Bcast(all, 300, MPI_INT, i % size, MPI_COMM_WORLD);
        check(sum == sum_below(size) && all[0] == i + i % size, "MPI's, call %d", i);
        if (i % 50 == 0) { call_all(); }
    }
    return end_mpi();
}
