/* Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
 *
 * Calls like the one before, with other memory; and calls that look like it, but have another operator, type, number of
 * elements, root or communicator, also one that MPI has given the handle of one that is gone. */
#include <support/check.h>

enum { most = 3000 };

static double in[2 * most], out[2 * most], both[2 * most];

static void calls_of(MPI_Comm comm, int turn, int n, int shift) {
    int const all = size_of(comm), part = n / all > 0 ? n / all : 1;
    struct call one = {Allreduce, n, turn / 3 % all, turn, comm, MPI_DOUBLE, MPI_SUM, in + shift, out + shift};
    struct call elsewhere = one, maximum = one;
    elsewhere.out = both + shift;
    maximum.op = MPI_MAX;
    check_call(&one);
    check_call_in_place(&elsewhere);
    check_call(&maximum);
    enum collective const others[] = {Reduce, Scan, Exscan, Bcast, Allgather, Reduce_scatter_block, Gather, Scatter};
    for (int i = 0; i != 8; ++i) {
        one.which = others[i];
        one.n = i < 4 ? n : part;
        one.out = others[i] == Bcast ? both + shift : others[i] == Allgather || others[i] == Gather ? out : out + shift;
        one.in = others[i] == Reduce_scatter_block || others[i] == Scatter ? in : in + shift;
        int may = others[i] == Reduce || others[i] == Gather || others[i] == Scatter;
#ifdef MPICH /* 4.0, whose own MPI_Reduce reads at MPI_IN_PLACE unless the root is rank 0 */
        char const* const says = getenv("TUTTI");
        may = may && (others[i] != Reduce || one.root == 0 || (says != NULL && strcmp(says, "all!") == 0));
#endif
        if (turn % 2 != 0 && may) {
            check_call_in_place(&one);
        } else {
            check_call(&one);
        }
    }
    int whole[2] = {rank_in(comm), turn}, sums[2] = {-1, -1};
    MPI_Allreduce(whole, sums, 2, MPI_INT, MPI_SUM, comm);
    check(sums[1] == all * turn, "MPI_Allreduce of integers, turn %d", turn);
}

/* A type of the program's whose handle may be given again to one of another size. */
static void own_types(int turn) {
    int const n = 1 + turn % 4;
    MPI_Datatype row = row_of(n, MPI_DOUBLE);
    struct call one = {Bcast, n, size - 1, turn, MPI_COMM_WORLD, MPI_DOUBLE, MPI_OP_NULL, in, both};
    fill_call(&one);
    MPI_Bcast(both, 1, row, size - 1, MPI_COMM_WORLD);
    check_result(&one, " of a row");
    MPI_Type_free(&row);
}

int main(int argc, char** argv) {
    int const lengths[] = {1, 3, 40, 300, most};
    begin_mpi(&argc, &argv);
    for (int turn = 0; turn != 400; ++turn) {
        calls_of(MPI_COMM_WORLD, turn, lengths[turn / 7 % 5], turn % 5);
        own_types(turn);
    }
    for (int turn = 0; turn != 60; ++turn) {
        MPI_Comm some;
        MPI_Comm_split(MPI_COMM_WORLD, turn % 3 == 2 ? rank % 2 : 0, turn % 2 ? -rank : rank, &some);
        for (int i = 0; i != 3; ++i) { calls_of(some, turn + i, 5, i); }
        MPI_Comm_free(&some);
    }
    return end_mpi();
}
