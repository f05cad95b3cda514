/* Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0. */

/* Maxima to which the last rank always comes late, and sums of floating-point numbers, whose bits stay. The delay
   grows, since on a machine that is busy with other things all ranks are late now and then. */
#include <support/check.h>

enum { count = 4000000, sums = 200000 };
static int mine[count], greatest[count];
static double parts[sums], sum[sums], first[sums];

int main(int argc, char** argv) {
    begin_mpi(&argc, &argv);
    for (int i = 0; i < count; ++i) { mine[i] = (rank * 7 + i) % 1000; }
    for (int i = 0; i < sums; ++i) { parts[i] = 1.0 / (rank * 7 + i + 3); }
    for (int call = 0; call < 48; ++call) {
        if (rank == size - 1) { usleep(20000 << call / 16); }
        memset(greatest, -1, sizeof greatest);
        MPI_Allreduce(mine, greatest, count, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        for (int i = call; i < count; i += 97) {
            int expected = 0;
            for (int r = 0; r < size; ++r) {
                int const theirs = (r * 7 + i) % 1000;
                if (theirs > expected) { expected = theirs; }
            }
            check(greatest[i] == expected, "maximum %d of call %d", i, call);
        }
        MPI_Allreduce(parts, sum, sums, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        if (call == 0) { memcpy(first, sum, sizeof sum); }
        check(memcmp(first, sum, sizeof sum) == 0, "bits of sums, call %d", call);
    }
    return end_mpi();
}
