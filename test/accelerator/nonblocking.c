/* Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
 *
 * MPI's nonblocking collectives, which stay MPI's, beside blocking ones that the accelerator takes (LD_PRELOAD, TUTTI=all,cut),
 * against the blocking ones of the profiling interface: an operator that does not commute and is freed at once, requests beside those of messages, all
 * ways to complete them, and ranks that wait in a receive while others need them for a collective. */
#include <mpi.h>

#include <stdio.h>
#include <string.h>

enum { most = 6000, n = 600 };
static int rank, size, failures = 0;
static int in[2 * most], out[14][2 * most], expected[14][2 * most];
static int parts[16], places[16];

static void check(int holds, char const* what) {
    if (!holds) {
        ++failures;
        fprintf(stderr, "[rank %d of %d] %s\n", rank, size, what);
    }
}

/* Affine maps modulo 251. */
static void compose(void* left, void* inout, int* count, MPI_Datatype* type) {
    int const* a = (int const*)left;
    int* b = (int*)inout;
    (void)type;
    for (int i = 0; i != *count; ++i, a += 2, b += 2) {
        b[1] = (a[0] * b[1] + a[1]) % 251;
        b[0] = a[0] * b[0] % 251;
    }
}

/* By MPI itself and at once, or begun. */
enum form { blocking, nonblocking };
#define CALL(i, Name, name, ...)                                                                                        \
    (form == blocking ? PMPI_##Name(__VA_ARGS__, comm) : MPI_I##name(__VA_ARGS__, comm, &all[i]))
/* The thirteen with results. */
static void calls(MPI_Comm comm, MPI_Datatype h, MPI_Op op, int to[][2 * most], enum form form, MPI_Request* all) {
    int const root = size - 1;
    CALL(0, Allreduce, allreduce, in, to[0], n, h, op);
    CALL(1, Reduce, reduce, in, to[1], n, h, op, root);
    CALL(2, Scan, scan, in, to[2], n, h, op);
    CALL(3, Exscan, exscan, in, to[3], n, h, op);
    CALL(4, Reduce_scatter, reduce_scatter, in, to[4], parts, h, op);
    CALL(5, Reduce_scatter_block, reduce_scatter_block, in, to[5], n / size, h, op);
    CALL(6, Bcast, bcast, to[6], n, h, root);
    CALL(7, Gather, gather, in, n, h, to[7], n, h, root);
    CALL(8, Gatherv, gatherv, in, parts[rank], h, to[8], parts, places, h, root);
    CALL(9, Scatter, scatter, in, n, h, to[9], n, h, root);
    CALL(10, Scatterv, scatterv, in, parts, places, h, to[10], parts[rank], h, root);
    CALL(11, Allgather, allgather, in, n, h, to[11], n, h);
    CALL(12, Allgatherv, allgatherv, in, parts[rank], h, to[12], parts, places, h);
}

static void divide(void) {
    int at = 1;
    for (int r = 0; r != size; ++r) {
        parts[r] = n / size - r;
        places[r] = at;
        at += parts[r] + 1;
    }
}

static void complete(MPI_Request* all, int count, int how) {
    MPI_Status statuses[16];
    int done = 0, index, indices[16];
    switch (how) {
    case 0: MPI_Waitall(count, all, statuses); break;
    case 1: for (int i = count; i-- != 0;) { MPI_Wait(&all[i], MPI_STATUS_IGNORE); } break;
    case 2: for (int i = 0; i != count; ++i) { MPI_Waitany(count, all, &index, MPI_STATUS_IGNORE); } break;
    case 3: while (!done) { MPI_Testall(count, all, &done, statuses); } break;
    case 4: for (int i = 0; i != count; i += done) { MPI_Waitsome(count, all, &done, indices, statuses); } break;
    case 5: for (int i = 0; i != count; i += done ? 1 : 0) { MPI_Testany(count, all, &index, &done, MPI_STATUS_IGNORE); } break;
    default:
        for (int i = 0; i != count; ++i) {
            do { MPI_Request_get_status(all[i], &done, MPI_STATUS_IGNORE); } while (!done);
            MPI_Test(&all[i], &done, MPI_STATUS_IGNORE);
            check(done, "MPI_Test after MPI_Request_get_status");
        }
    }
    for (int i = 0; i != count; ++i) { check(all[i] == MPI_REQUEST_NULL, "a request is left"); }
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Barrier(comm);
    divide();
    for (int how = 0; how != 7; ++how) {
        for (int i = 0; i != 2 * most; ++i) { in[i] = 1 + (i * 7 + rank * 31 + how) % 250; }
        memset(out, 0x55, sizeof out);
        memset(expected, 0x55, sizeof expected);
        memcpy(out[6], in, sizeof in);
        memcpy(expected[6], in, sizeof in);
        MPI_Datatype h;
        MPI_Type_contiguous(2, MPI_INT, &h);
        MPI_Type_commit(&h);
        MPI_Op op;
        MPI_Op_create(compose, 0, &op);
        calls(comm, h, op, expected, blocking, NULL);
        MPI_Request all[16];
        int sent = rank, received = -1;
        calls(comm, h, op, out, nonblocking, all);
        int beside = 0;
        MPI_Allreduce(&rank, &beside, 1, MPI_INT, MPI_SUM, comm);
        check(beside == size * (size - 1) / 2, "a blocking call beside those that have begun");
        MPI_Op_free(&op);
        MPI_Type_free(&h);
        MPI_Ibarrier(comm, &all[13]);
        MPI_Irecv(&received, 1, MPI_INT, (rank + 1) % size, how, comm, &all[14]);
        MPI_Isend(&sent, 1, MPI_INT, (rank + size - 1) % size, how, comm, &all[15]);
        complete(all, 16, how);
        check(received == (rank + 1) % size, "a message beside collectives");
        for (int i = 0; i != 13; ++i) {
            char what[64];
            snprintf(what, sizeof what, "collective %d, completed in way %d", i, how);
            check(memcmp(out[i], expected[i], sizeof out[i]) == 0, what);
        }
    }
    /* The others finish the collective before they send: rank 0 must take part while it receives. */
    MPI_Request request;
    for (int round = 0; round != 20; ++round) {
        int token = -1;
        MPI_Iallreduce(in, out[0], n, MPI_INT, MPI_SUM, comm, &request);
        if (rank == 0) {
            for (int r = 1; r != size; ++r) { MPI_Recv(&token, 1, MPI_INT, r, 99, comm, MPI_STATUS_IGNORE); }
        }
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        if (rank != 0) { MPI_Send(&rank, 1, MPI_INT, 0, 99, comm); }
    }
    /* A blocking call after one that has begun, and a communicator freed before its call has ended. */
    MPI_Iallreduce(in, out[1], n, MPI_INT, MPI_SUM, comm, &request);
    MPI_Allreduce(in, out[2], n, MPI_INT, MPI_SUM, comm);
    MPI_Comm_free(&comm);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    check(memcmp(out[0], out[1], n * sizeof(int)) == 0 && memcmp(out[0], out[2], n * sizeof(int)) == 0, "sums");
    int sum = 0;
    PMPI_Allreduce(&failures, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) { printf("nonblocking on %d ranks: %d checks failed\n", size, sum); }
    MPI_Finalize();
    return sum != 0;
}
