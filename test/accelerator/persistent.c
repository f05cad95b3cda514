/* Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
 *
 * MPI's persistent collectives under the accelerator (LD_PRELOAD, TUTTI=all,cut,report) against the blocking ones of the
 * profiling interface: started several times, in another order on each rank, beside blocking and nonblocking calls, with
 * an operator and a type that are freed at once; and started on one rank while others are elsewhere. */
#include "all_collectives.h"

#if MPI_VERSION >= 4

static void fill(int run) {
    for (int i = 0; i != 2 * most; ++i) { in[i] = 1 + (i * 7 + rank * 31 + run) % 250; }
    memset(out, 0x55, sizeof out);
    memset(expected, 0x55, sizeof expected);
    memcpy(out[6], in, sizeof in);
    memcpy(expected[6], in, sizeof in);
}

/* Results of thirteen; one after the other, all at once, or, on odd ranks, the last first. */
static void start(MPI_Request* all, int how) {
    switch (how) {
    case 0: MPI_Startall(14, all); break;
    case 1:
        for (int i = 0; i != 14; ++i) { MPI_Start(&all[rank % 2 == 0 ? i : 13 - i]); }
        break;
    default:
        for (int i = 0; i != 14; ++i) { MPI_Start(&all[(i * 5 + rank) % 14]); }
    }
}

static void run_all(MPI_Comm comm) {
    MPI_Datatype h, same;
    MPI_Op op, same_op;
    MPI_Request all[14];
    MPI_Status statuses[14];
    MPI_Type_contiguous(2, MPI_INT, &h);
    MPI_Type_commit(&h);
    MPI_Type_dup(h, &same);
    MPI_Op_create(compose, 0, &op);
    MPI_Op_create(compose, 0, &same_op);
    calls(comm, h, op, out, persistent, all);
    MPI_Barrier_init(comm, MPI_INFO_NULL, &all[13]);
    MPI_Op_free(&op);
    MPI_Type_free(&h);
    for (int run = 0; run != 6; ++run) {
        int sum = 0, later = 0;
        MPI_Request request;
        fill(run);
        calls(comm, same, same_op, expected, blocking, NULL);
        start(all, run % 3);
        MPI_Iallreduce(&rank, &later, 1, MPI_INT, MPI_SUM, comm, &request);
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
        check(sum == size * (size - 1) / 2, "a blocking call beside persistent ones");
        if (run % 2 == 0) {
            MPI_Waitall(14, all, statuses);
        } else {
            for (int i = 14; i-- != 0;) { MPI_Wait(&all[i], MPI_STATUS_IGNORE); }
        }
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        check(later == sum, "a nonblocking call beside persistent ones");
        for (int i = 0; i != 13; ++i) {
            char what[64];
            snprintf(what, sizeof what, "collective %d in run %d", i, run);
            check(memcmp(out[i], expected[i], sizeof out[i]) == 0, what);
            check(all[i] != MPI_REQUEST_NULL, "a persistent request is gone");
        }
    }
    for (int i = 0; i != 14; ++i) { MPI_Request_free(&all[i]); }
    MPI_Type_free(&same);
    MPI_Op_free(&same_op);
}

/* Rank 0 has begun a nonblocking call before it starts the persistent one, for whose end the others wait first. */
static void in_another_order(MPI_Comm comm) {
    MPI_Request one, other;
    MPI_Allreduce_init(in, out[0], n, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &one);
    for (int run = 0; run != 5; ++run) {
        if (rank == 0) {
            MPI_Iallreduce(in, out[1], n, MPI_INT, MPI_SUM, comm, &other);
            MPI_Start(&one);
            MPI_Wait(&one, MPI_STATUS_IGNORE);
        } else {
            MPI_Start(&one);
            MPI_Wait(&one, MPI_STATUS_IGNORE);
            MPI_Iallreduce(in, out[1], n, MPI_INT, MPI_SUM, comm, &other);
        }
        MPI_Wait(&other, MPI_STATUS_IGNORE);
        check(memcmp(out[0], out[1], n * sizeof(int)) == 0, "sums");
        /* and the same with a blocking call */
        if (rank == 0) {
            MPI_Start(&one);
            MPI_Allreduce(in, out[1], n, MPI_INT, MPI_SUM, comm);
        } else {
            MPI_Allreduce(in, out[1], n, MPI_INT, MPI_SUM, comm);
            MPI_Start(&one);
        }
        MPI_Wait(&one, MPI_STATUS_IGNORE);
        check(memcmp(out[0], out[1], n * sizeof(int)) == 0, "sums beside a blocking call");
    }
    MPI_Request_free(&one);
}

/* Requests that are left when their communicator ends, and types freed while others are needed. */
static void ends(void) {
    MPI_Comm comm;
    MPI_Request one, other;
    MPI_Datatype pair;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Barrier(comm);
    MPI_Barrier_init(comm, MPI_INFO_NULL, &one);
    MPI_Bcast_init(in, n, MPI_INT, 0, comm, MPI_INFO_NULL, &other);
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Type_free(&pair);
    MPI_Start(&one);
    MPI_Wait(&one, MPI_STATUS_IGNORE);
    MPI_Request_free(&one);
    MPI_Comm_disconnect(&comm);
    MPI_Request_free(&other);
    check(one == MPI_REQUEST_NULL && other == MPI_REQUEST_NULL, "requests that have been freed");
}

int main(int argc, char** argv) {
    int sum = 0;
    MPI_Comm comm;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Barrier(comm);
    divide();
    run_all(comm);
    in_another_order(comm);
    ends();
    MPI_Comm_free(&comm);
    PMPI_Allreduce(&failures, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) { printf("persistent on %d ranks: %d checks failed\n", size, sum); }
    MPI_Finalize();
    return sum != 0;
}

#endif
