/* Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0. */

/* What it costs that the preloaded library stands between a program and MPI: loops of MPI_Allreduce in turn with loops
   of PMPI_Allreduce, which it does not see. Prints the medians of both in nanoseconds a call, and that of their ratio.

     mpicc -O2 benchmarks/watching.c -o watching
     mpiexec -n 2 env TUTTI=watch LD_PRELOAD=build/accelerator/libtutti_mpi.so ./watching ELEMENTS CALLS */

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { warm_up = 20, rounds = 401 };

static int by_value(void const* a, void const* b) {
    double const x = *(double const*)a;
    double const y = *(double const*)b;
    return x < y ? -1 : x > y;
}

static double median(double* values) {
    qsort(values, rounds, sizeof *values, by_value);
    return values[rounds / 2];
}

int main(int argc, char** argv) {
    static double direct[rounds];
    static double through[rounds];
    static double ratio[rounds];
    int const elements = argc > 1 ? atoi(argv[1]) : 1;
    int const calls = argc > 2 ? atoi(argv[2]) : 1000;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double* const in = calloc((size_t)elements, sizeof *in);
    double* const out = calloc((size_t)elements, sizeof *out);
    for (int round = -warm_up; round < rounds; ++round) {
        double seconds[2];
        for (int turn = 0; turn < 2; ++turn) {
            int const is_through = (turn + round) & 1;
            PMPI_Barrier(MPI_COMM_WORLD);
            double const begun = PMPI_Wtime();
            int (*const call)(void const*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm) =
                is_through ? MPI_Allreduce : PMPI_Allreduce;
            for (int i = 0; i < calls; ++i) { call(in, out, elements, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); }
            seconds[is_through] = (PMPI_Wtime() - begun) / calls;
        }
        if (round < 0) continue;
        direct[round] = seconds[0];
        through[round] = seconds[1];
        ratio[round] = seconds[1] / seconds[0];
    }
    if (rank == 0) printf("%.1f %.1f %.4f\n", median(direct) * 1e9, median(through) * 1e9, median(ratio));
    free(in);
    free(out);
    MPI_Finalize();
    return 0;
}
