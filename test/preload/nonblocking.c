/* Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
 *
 * MPI's nonblocking collectives, which stay MPI's, beside blocking ones that the accelerator takes (LD_PRELOAD,
 * TUTTI=all!,cut), against the blocking ones of the profiling interface: an operator that does not commute and is freed
 * at once, requests beside those of messages, all ways to complete them, and ranks that wait in a receive while others
 * need them for a collective. */
#include <support/check.h>

enum { most = 6000, n = 600 };
static int in[2 * most], out[14][2 * most], expected[14][2 * most];
static int parts[16], places[16];
static MPI_Comm comm;

/* The thirteen with results: by MPI itself and at once, or begun. */
#define CALL(i, Name, name, ...)                                                                                       \
    all == NULL ? PMPI_##Name(__VA_ARGS__, comm) : MPI_I##name(__VA_ARGS__, comm, &all[i]);
static void calls(MPI_Datatype h, MPI_Op op, int to[][2 * most], MPI_Request* all) {
    int const root = size - 1;
    memset(to, 0x55, sizeof out);
    memcpy(to[6], in, sizeof in);
    EVERY_COLLECTIVE(CALL)
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
    case 5: for (int i = 0; i != count; i += done != 0) MPI_Testany(count, all, &index, &done, statuses); break;
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
    int at = 1;
    begin_mpi(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Barrier(comm);
    for (int r = 0; r != size; ++r) {
        parts[r] = n / size - r;
        places[r] = at;
        at += parts[r] + 1;
    }
    for (int how = 0; how != 7; ++how) {
        MPI_Datatype h = row_of(2, MPI_INT);
        MPI_Op op;
        MPI_Request all[16];
        int sent = rank, received = -1, beside = 0;
        for (int i = 0; i != 2 * most; ++i) { in[i] = 1 + (i * 7 + rank * 31 + how) % 250; }
        MPI_Op_create(compose_maps, 0, &op);
        calls(h, op, expected, NULL);
        calls(h, op, out, all);
        MPI_Allreduce(&rank, &beside, 1, MPI_INT, MPI_SUM, comm);
        check(beside == sum_below(size), "a blocking call beside those that have begun");
        MPI_Op_free(&op);
        MPI_Type_free(&h);
        MPI_Ibarrier(comm, &all[13]);
        MPI_Irecv(&received, 1, MPI_INT, (rank + 1) % size, how, comm, &all[14]);
        MPI_Isend(&sent, 1, MPI_INT, (rank + size - 1) % size, how, comm, &all[15]);
        complete(all, 16, how);
        check(received == (rank + 1) % size, "a message beside collectives");
        for (int i = 0; i != 13; ++i) {
            check(memcmp(out[i], expected[i], sizeof out[i]) == 0, "collective %d, completed in way %d", i, how);
        }
    }
    /* The others finish the collective before they send: rank 0 must take part while it receives. */
    MPI_Request request;
    for (int round = 0; round != 20; ++round) {
        int token = -1;
        MPI_Iallreduce(in, out[0], n, MPI_INT, MPI_SUM, comm, &request);
        for (int r = 1; rank == 0 && r != size; ++r) { MPI_Recv(&token, 1, MPI_INT, r, 99, comm, MPI_STATUS_IGNORE); }
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        if (rank != 0) { MPI_Send(&rank, 1, MPI_INT, 0, 99, comm); }
    }
    /* A blocking call after one that has begun, and a communicator freed before its call has ended. */
    MPI_Iallreduce(in, out[1], n, MPI_INT, MPI_SUM, comm, &request);
    MPI_Allreduce(in, out[2], n, MPI_INT, MPI_SUM, comm);
    MPI_Comm_free(&comm);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    check(memcmp(out[0], out[1], n * sizeof(int)) == 0 && memcmp(out[0], out[2], n * sizeof(int)) == 0, "sums");
    return end_mpi();
}
