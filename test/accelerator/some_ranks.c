/* Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0. */

/* some_ranks.sh runs it: not all ranks have the accelerator, or they have not the same TUTTI. Given an argument, ranks that
   MPI_Comm_spawn has started without the accelerator share a communicator with those that have it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

enum { most = 1 << 17 };

static int wrong = 0;

static void check(int holds, char const* what) {
    if (!holds) {
        ++wrong;
        printf("wrong: %s\n", what);
    }
}

static void call(MPI_Comm comm) {
    static double in[most], out[most];
    int rank = 0, size = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    for (int n = 1; n <= most; n *= 8) {
        for (int i = 0; i != n; ++i) { in[i] = rank + 1; }
        MPI_Allreduce(in, out, n, MPI_DOUBLE, MPI_SUM, comm);
        check(out[n - 1] == size * (size + 1) / 2, "MPI_Allreduce");
        MPI_Scan(in, out, n, MPI_DOUBLE, MPI_SUM, comm);
        check(out[n - 1] == (rank + 1) * (rank + 2) / 2, "MPI_Scan");
        MPI_Bcast(in, n, MPI_DOUBLE, size - 1, comm);
        check(in[n - 1] == size, "MPI_Bcast");
    }
    MPI_Barrier(comm);
}

int main(int argc, char* argv[]) {
    MPI_Comm parent = MPI_COMM_NULL, between = MPI_COMM_NULL, other = MPI_COMM_NULL;
    int rank = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_get_parent(&parent);
    between = parent;
    call(MPI_COMM_WORLD);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &other);
    call(other);
    MPI_Comm_free(&other);
    if (argc > 1 && parent == MPI_COMM_NULL) {
        char option[] = "-c", line[] = "unset LD_PRELOAD; exec \"$0\"";
        char* words[] = {option, line, argv[0], NULL};
        MPI_Comm_spawn("sh", words, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &between, MPI_ERRCODES_IGNORE);
    }
    if (between != MPI_COMM_NULL) {
        MPI_Intercomm_merge(between, parent != MPI_COMM_NULL, &other);
        call(other);
        MPI_Comm_free(&other);
        MPI_Comm_disconnect(&between);
    }
    MPI_Finalize();
    return wrong != 0;
}
