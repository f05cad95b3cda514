/* Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0. */

/* Maxima to which the last rank always comes late, and sums of floating-point numbers, whose bits stay. The delay grows,
   since on a machine that is busy with other things all ranks are late now and then. */
#define _DEFAULT_SOURCE /* usleep */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { count = 4000000, sums = 200000 };

int main(int argc, char** argv) {
    int rank, size, failures = 0, all_failures = 0;
    int* const mine = malloc(count * sizeof *mine);
    int* const greatest = malloc(count * sizeof *greatest);
    double* const parts = malloc(sums * sizeof *parts);
    double* const sum = malloc(sums * sizeof *sum);
    double* const first = malloc(sums * sizeof *first);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < count; ++i) mine[i] = (rank * 7 + i) % 1000;
    for (int i = 0; i < sums; ++i) parts[i] = 1.0 / (rank * 7 + i + 3);
    for (int call = 0; call < 48; ++call) {
        if (rank == size - 1) usleep(20000 << call / 16);
        memset(greatest, -1, count * sizeof *greatest);
        MPI_Allreduce(mine, greatest, count, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        for (int i = call; i < count; i += 97) {
            int expected = 0;
            for (int r = 0; r < size; ++r) {
                int const theirs = (r * 7 + i) % 1000;
                if (theirs > expected) expected = theirs;
            }
            failures += greatest[i] != expected;
        }
        MPI_Allreduce(parts, sum, sums, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        if (call == 0) memcpy(first, sum, sums * sizeof *sum);
        failures += memcmp(first, sum, sums * sizeof *sum) != 0;
    }
    MPI_Reduce(&failures, &all_failures, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0 && all_failures != 0) printf("%d results have failed on some rank\n", all_failures);
    free(mine), free(greatest), free(parts), free(sum), free(first);
    MPI_Finalize();
    return failures != 0;
}
