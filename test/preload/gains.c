/* Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0. */

/* Calls that gain by tutti and calls that do not, at places of their own: the report says who performs them. */
#include <support/check.h>

enum { count = 1024 };

static double in[count], out[8 * count];

int main(int argc, char** argv) {
    begin_mpi(&argc, &argv);
    for (int turn = 0; turn < 20; ++turn) {
        for (int i = 0; i < count; ++i) { in[i] = rank == 0 ? turn + i : -1; }
        MPI_Bcast(in, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        check(in[count - 1] == turn + count - 1, "MPI_Bcast, turn %d", turn);
        double const own = rank + turn;
        MPI_Gather(&own, 1, MPI_DOUBLE, out, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        check(rank != 0 || out[size - 1] == size - 1 + turn, "MPI_Gather, turn %d", turn);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    return end_mpi();
}
