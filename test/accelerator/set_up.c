/* Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0. */

/* When tutti begins to perform calls: sums by their number, so that two communicators with different delays give the
   same bits call for call; others by time, with ranks that are late at different calls. */
#define _DEFAULT_SOURCE /* usleep */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { calls = 3000, count = 1024 };

static double numbers[count], sums[count];
static double first[calls];

int main(int argc, char** argv) {
    int rank, size, failures = 0;
    MPI_Comm comm;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int run = 0; run < 2; ++run) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        for (int call = 0; call < calls; ++call) {
            for (int i = 0; i < count; ++i) numbers[i] = 1.0 / (3 * rank + i + call + 1);
            if (run == 1 && call % 100 == 7 * rank) usleep(10000);
            MPI_Allreduce(numbers, sums, count, MPI_DOUBLE, MPI_SUM, comm);
            if (run == 1 && call % 5 == 0) MPI_Bcast(numbers, count, MPI_DOUBLE, 0, comm);
            double bits = 0;
            for (int i = 0; i < count; ++i) bits += i * sums[i];
            if (run == 0) first[call] = bits;
            if (run == 1 && memcmp(&bits, &first[call], sizeof bits) != 0 && ++failures < 10) {
                printf("rank %d: the sum of call %d differs\n", rank, call);
            }
        }
        MPI_Comm_free(&comm);
    }
    double const begun = MPI_Wtime();
    for (int is_over = 0; !is_over;) {
        for (int call = 0; call < 100; ++call) {
            if (call % 37 == 5 * rank) usleep(100);
            for (int i = 0; i < count; ++i) numbers[i] = rank == 0 ? call + i : -1;
            MPI_Bcast(numbers, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
            if (numbers[count - 1] != call + count - 1) ++failures;
        }
        is_over = MPI_Wtime() - begun >= 1;
        MPI_Allreduce(MPI_IN_PLACE, &is_over, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    }
    MPI_Allreduce(MPI_IN_PLACE, &failures, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (failures != 0 && rank == 0) printf("%d checks failed on %d ranks\n", failures, size);
    MPI_Finalize();
    return failures != 0;
}
