/* Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0. */

/* When tutti begins to perform calls: sums by their number, so that two communicators with different delays give the
   same bits call for call; others by time, with ranks that are late at different calls. */
#include <support/check.h>

enum { calls = 3000, count = 1024 };

static double numbers[count], sums[count], first[calls];

int main(int argc, char** argv) {
    begin_mpi(&argc, &argv);
    for (int run = 0; run < 2; ++run) {
        MPI_Comm comm;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        for (int call = 0; call < calls; ++call) {
            for (int i = 0; i < count; ++i) { numbers[i] = 1.0 / (3 * rank + i + call + 1); }
            if (run == 1 && call % 100 == 7 * rank) { usleep(10000); }
            MPI_Allreduce(numbers, sums, count, MPI_DOUBLE, MPI_SUM, comm);
            if (run == 1 && call % 5 == 0) { MPI_Bcast(numbers, count, MPI_DOUBLE, 0, comm); }
            double bits = 0;
            for (int i = 0; i < count; ++i) { bits += i * sums[i]; }
            if (run == 0) { first[call] = bits; }
            check(memcmp(&bits, &first[call], sizeof bits) == 0, "the sum of call %d differs", call);
        }
        MPI_Comm_free(&comm);
    }
    double const begun = MPI_Wtime();
    for (int is_over = 0; !is_over;) {
        for (int call = 0; call < 100; ++call) {
            struct call one = {Bcast, count, 0, call, MPI_COMM_WORLD, MPI_DOUBLE, MPI_OP_NULL, sums, numbers};
            if (call % 37 == 5 * rank) { usleep(100); }
            check_call(&one);
        }
        is_over = MPI_Wtime() - begun >= 1;
        MPI_Allreduce(MPI_IN_PLACE, &is_over, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    }
    return end_mpi();
}
