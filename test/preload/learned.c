/* Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0. */

/* Programs whose calls repeat: as many as let the preloaded library try and choose, of several kinds in turn, on
   several communicators, with and without ranks that are late; results are right each time, and those of floating-point
   sums have the same bits in all calls. */
#include <support/check.h>

enum { most = 4096, communicators = 3 };

static int in[most * 8], out[most * 8];

/* On the communicator with this number. */
static void check_bits(int place, MPI_Comm comm) {
    enum { m = 100 };
    static double numbers[m], sums[m], first_sums[communicators][m];
    static int has_sums[communicators];
    for (int i = 0; i < m; ++i) { numbers[i] = 1.0 / (rank_in(comm) * 3 + i + 1); }
    MPI_Allreduce(numbers, sums, m, MPI_DOUBLE, MPI_SUM, comm);
    if (!has_sums[place]) {
        memcpy(first_sums[place], sums, sizeof sums);
        has_sums[place] = 1;
    }
    check(memcmp(first_sums[place], sums, sizeof sums) == 0, "bits of a sum on communicator %d", place);
}

/* MPI_Bcast where the root's type is not that of the others, MPI_Gather in place, others as they are. */
static void call(enum collective which, int n, int root, MPI_Comm comm, int number) {
    int const is_root = rank_in(comm) == root;
    struct call one = {which, n, root, number, comm, MPI_INT, which == Reduce ? MPI_MAX : MPI_SUM, in, out};
    if (which == Bcast) {
        MPI_Datatype pair = row_of(2, MPI_INT);
        one.n = n / 2 * 2;
        fill_call(&one);
        MPI_Bcast(out, is_root ? n / 2 : one.n, is_root ? pair : MPI_INT, root, comm);
        check_result(&one, " of pairs");
        MPI_Type_free(&pair);
    } else if (which == Gather && is_root) {
        check_call_in_place(&one);
    } else if (which == Gather) {
        fill_call(&one);
        MPI_Gather(in, n, MPI_INT, NULL, 0, MPI_DATATYPE_NULL, root, comm);
    } else {
        check_call(&one);
    }
}

int main(int argc, char** argv) {
    enum collective const kinds[] = {Allreduce, Reduce, Bcast, Scan, Gather, Allgather, Reduce_scatter_block};
    int const lengths[] = {1, 2, 64, 1024};
    unsigned state = 1; /* the same on all ranks */
    begin_mpi(&argc, &argv);
    int const calls = argc > 1 ? atoi(argv[1]) : 24000;
    MPI_Comm all[communicators] = {MPI_COMM_WORLD, MPI_COMM_NULL, MPI_COMM_NULL};
    MPI_Comm_dup(MPI_COMM_WORLD, &all[1]);
    MPI_Comm_split(MPI_COMM_WORLD, 0, size - rank, &all[2]); /* the other way round */
    for (int i = 0; i < calls; ++i) {
        int const which = draw(&state, 8), n = lengths[draw(&state, 4)], root = draw(&state, size);
        int const on = draw(&state, 2) * (which == 7 ? 0 : 2);
        int const is_late = draw(&state, 2000) == 0 && rank == root;
        for (double const until = MPI_Wtime() + 0.002; is_late && MPI_Wtime() < until;) {}
        if (which == 7) {
            check_bits(on, all[on]);
        } else {
            call(kinds[which], n, root, all[on], i);
        }
    }
    for (int i = 0; i < calls; ++i) { call(Allreduce, 1, 0, all[1], i); } /* one kind, back to back */
    MPI_Comm_free(&all[1]);
    MPI_Comm_free(&all[2]);
    return end_mpi();
}
