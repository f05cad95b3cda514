/* Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0. */

/* some_ranks.sh runs it: not all ranks have the accelerator, or they have not the same TUTTI. Given an argument, ranks
   that MPI_Comm_spawn has started without the accelerator share a communicator with those that have it. */
#include <support/check.h>

static void call(MPI_Comm comm) {
    static double in[1 << 17], out[1 << 17];
    for (int n = 1; n <= 1 << 17; n *= 8) {
        struct call one = {Allreduce, n, size_of(comm) - 1, 0, comm, MPI_DOUBLE, MPI_SUM, in, out};
        check_call(&one);
        one.which = Scan;
        check_call(&one);
        one.which = Bcast;
        check_call(&one);
    }
    MPI_Barrier(comm);
}

int main(int argc, char* argv[]) {
    MPI_Comm parent, between, other;
    begin_mpi(&argc, &argv);
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
    return end_mpi();
}
