/* Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
 *
 * Calls like the one before, with other memory; and calls that look like it, but have another operator, type, number of
 * elements, root or communicator, also one that MPI has given the handle of one that is gone. */
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most = 3000 };

static int failures = 0;
static double in[2 * most], out[2 * most], both[2 * most];

static void check(int holds, char const* what, int turn) {
    if (holds) { return; }
    if (++failures < 20) { fprintf(stderr, "%s, turn %d\n", what, turn); }
}

static void fill(int rank, int turn, int n) {
    for (int i = 0; i != n; ++i) { both[i] = in[i] = rank + turn + i, out[i] = -1; }
}

/* of ranks 0 ... last */
static double sum_of(int last, int turn, int i) { return (last + 1.0) * (turn + i) + last * (last + 1) / 2; }

static void calls_of(MPI_Comm comm, int turn, int n, int shift) {
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    int const root = turn / 3 % size, last = size - 1;
    double *from = in + shift, *to = out + shift, *x = both + shift;

    fill(rank, turn, n + shift);
    MPI_Allreduce(from, to, n, MPI_DOUBLE, MPI_SUM, comm);
    check(to[n - 1] == sum_of(last, turn, n - 1 + shift), "MPI_Allreduce", turn);
    MPI_Allreduce(MPI_IN_PLACE, x, n, MPI_DOUBLE, MPI_SUM, comm);
    check(x[0] == sum_of(last, turn, shift), "MPI_Allreduce in place", turn);
    MPI_Allreduce(from, to, n, MPI_DOUBLE, MPI_MAX, comm);
    check(to[0] == last + turn + shift, "MPI_Allreduce by MPI_MAX", turn);

    fill(rank, turn, n + shift);
    MPI_Reduce(rank == root && turn % 2 ? MPI_IN_PLACE : from, rank == root && turn % 2 ? x : to, n, MPI_DOUBLE,
               MPI_SUM, root, comm);
    if (rank == root) { check((turn % 2 ? x : to)[n - 1] == sum_of(last, turn, n - 1 + shift), "MPI_Reduce", turn); }
    fill(rank, turn, n + shift);
    MPI_Scan(from, to, n, MPI_DOUBLE, MPI_SUM, comm);
    check(to[n - 1] == sum_of(rank, turn, n - 1 + shift), "MPI_Scan", turn);
    MPI_Exscan(from, to, n, MPI_DOUBLE, MPI_SUM, comm);
    if (rank != 0) { check(to[0] == sum_of(rank - 1, turn, shift), "MPI_Exscan", turn); }

    fill(rank, turn, n + shift);
    MPI_Bcast(x, n, MPI_DOUBLE, root, comm);
    check(x[n - 1] == root + turn + n - 1 + shift, "MPI_Bcast", turn);
    int const part = n / size > 0 ? n / size : 1;
    fill(rank, turn, most);
    MPI_Allgather(from, part, MPI_DOUBLE, out, part, MPI_DOUBLE, comm);
    check(out[part * last] == last + turn + shift, "MPI_Allgather", turn);
    fill(rank, turn, most);
    MPI_Reduce_scatter_block(in, to, part, MPI_DOUBLE, MPI_SUM, comm);
    check(to[0] == sum_of(last, turn, part * rank), "MPI_Reduce_scatter_block", turn);

    fill(rank, turn, most);
    int const stays = rank == root && turn % 2;
    if (stays) { memcpy(out + part * root, from, (size_t)part * sizeof *out); }
    MPI_Gather(stays ? MPI_IN_PLACE : from, part, MPI_DOUBLE, out, part, MPI_DOUBLE, root, comm);
    for (int r = 0; rank == root && r != size; ++r) { check(out[part * r] == r + turn + shift, "MPI_Gather", turn); }
    fill(rank, turn, most);
    MPI_Scatter(in, part, MPI_DOUBLE, stays ? MPI_IN_PLACE : to, part, MPI_DOUBLE, root, comm);
    check((stays ? in + part * root : to)[part - 1] == root + turn + part * (rank + 1) - 1, "MPI_Scatter", turn);

    int whole[2] = {rank, turn}, all[2] = {-1, -1};
    MPI_Allreduce(whole, all, 2, MPI_INT, MPI_SUM, comm);
    check(all[1] == size * turn, "MPI_Allreduce of integers", turn);
}

/* A type of the program's whose handle may be given again to one of another size. */
static void own_types(MPI_Comm comm, int turn) {
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    int const n = 1 + turn % 4;
    MPI_Datatype row;
    MPI_Type_contiguous(n, MPI_DOUBLE, &row);
    MPI_Type_commit(&row);
    fill(rank, turn, n);
    MPI_Bcast(both, 1, row, size - 1, comm);
    check(both[n - 1] == size - 1 + turn + n - 1, "MPI_Bcast of a row", turn);
    MPI_Type_free(&row);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int const lengths[] = {1, 3, 40, 300, most};
    for (int turn = 0; turn != 400; ++turn) {
        calls_of(MPI_COMM_WORLD, turn, lengths[turn / 7 % 5], turn % 5);
        own_types(MPI_COMM_WORLD, turn);
    }
    for (int turn = 0; turn != 60; ++turn) {
        MPI_Comm some;
        int rank;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_split(MPI_COMM_WORLD, turn % 3 == 2 ? rank % 2 : 0, turn % 2 ? -rank : rank, &some);
        for (int i = 0; i != 3; ++i) { calls_of(some, turn + i, 5, i); }
        MPI_Comm_free(&some);
    }
    int all = 0, rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0 && all != 0) { fprintf(stderr, "%d checks failed\n", all); }
    MPI_Finalize();
    return all != 0;
}
