/* Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0. */

/* Programs that are right, of which TUTTI=watch,check has nothing to report: what a rank waits for comes only after it,
   or another rank, has gone on with other calls; requests that are null; communicators that are made and freed. */
#include <support/check.h>

#include <pthread.h>

enum { most = 64 };
static double in[most], out[most];
static MPI_Comm a, b;

static void message(int from, int to) {
    if (rank == from) { MPI_Send(in, 1, MPI_DOUBLE, to, 1, MPI_COMM_WORLD); }
    if (rank == to) { MPI_Recv(in, 1, MPI_DOUBLE, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }
}

/* The others begin the second call after a message that the root sends once the first one has ended. */
static void a_later_call_needs_a_message(void) {
    MPI_Request first, second;
    MPI_Ibcast(in, 4, MPI_DOUBLE, 0, a, &first);
    if (rank == 0) { MPI_Ibcast(out, 4, MPI_DOUBLE, 0, b, &second); }
    MPI_Wait(&first, MPI_STATUS_IGNORE);
    for (int to = 1; to < size; ++to) { message(0, to); }
    if (rank != 0) { MPI_Ibcast(out, 4, MPI_DOUBLE, 0, b, &second); }
    MPI_Wait(&second, MPI_STATUS_IGNORE);
}

/* The root has ended a call, and frees its communicator, before the others begin it. */
static void a_communicator_is_freed(int needs_message) {
    MPI_Comm one;
    MPI_Request request;
    MPI_Comm_dup(MPI_COMM_WORLD, &one);
    if (rank != 0 && needs_message) { message(0, rank); }
    MPI_Ibcast(in, 4, MPI_DOUBLE, 0, one, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&one);
    if (rank == 0 && needs_message) {
        for (int to = 1; to < size; ++to) { message(0, to); }
    }
}

static void requests_are_null(void) {
    MPI_Request some[4], sum;
    MPI_Status statuses[4];
    int flag, index, count, indices[4];
    MPI_Iallreduce(in, out, 4, MPI_DOUBLE, MPI_SUM, a, &sum);
    MPI_Waitall(0, NULL, MPI_STATUSES_IGNORE);
    MPI_Waitany(0, NULL, &index, MPI_STATUS_IGNORE);
    MPI_Waitsome(0, NULL, &count, NULL, MPI_STATUSES_IGNORE);
    MPI_Testall(0, NULL, &flag, MPI_STATUSES_IGNORE);
    MPI_Testany(0, NULL, &index, &flag, MPI_STATUS_IGNORE);
    MPI_Testsome(0, NULL, &count, NULL, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 4; ++i) { some[i] = MPI_REQUEST_NULL; }
    MPI_Wait(&some[0], MPI_STATUS_IGNORE);
    MPI_Test(&some[0], &flag, MPI_STATUS_IGNORE);
    MPI_Waitall(4, some, MPI_STATUSES_IGNORE);
    MPI_Waitany(4, some, &index, &statuses[0]);
    check(index == MPI_UNDEFINED, "MPI_Waitany of none gives %d", index);
    MPI_Recv_init(in, 1, MPI_DOUBLE, rank, 2, MPI_COMM_WORLD, &some[1]); /* never started */
    MPI_Waitall(4, some, statuses);
    MPI_Waitsome(4, some, &count, indices, MPI_STATUSES_IGNORE);
    check(count == MPI_UNDEFINED, "MPI_Waitsome of none gives %d", count);
    some[2] = sum;
    MPI_Waitany(4, some, &index, MPI_STATUS_IGNORE);
    check(index == 2 && some[2] == MPI_REQUEST_NULL, "MPI_Waitany of one gives %d", index);
    MPI_Request_free(&some[1]);
    MPI_Alltoallw(MPI_IN_PLACE, NULL, NULL, NULL, out, (int[most]){0}, (int[most]){0},
                  (MPI_Datatype[3]){MPI_DOUBLE, MPI_DOUBLE, MPI_DOUBLE}, a);
}

static void* sums(void* on) {
    MPI_Comm const comm = *(MPI_Comm*)on;
    for (int i = 0; i < 200; ++i) {
        double one = 1, all = 0;
        MPI_Request request;
        MPI_Iallreduce(&one, &all, 1, MPI_DOUBLE, MPI_SUM, comm, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Barrier(comm);
        check(all == size, "a sum of a thread");
    }
    return NULL;
}
static void threads_have_communicators(void) {
    pthread_t other;
    pthread_create(&other, NULL, sums, &a);
    sums(&b);
    pthread_join(other, NULL);
}

/* Of two groups with one rank in common, and between them: each number of each kind. */
static void made_in_many_ways(void) {
    for (int i = 0; i < 3; ++i) {
        MPI_Comm half, between, merged, copy;
        MPI_Request request;
        MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
        MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 7, &between);
        MPI_Intercomm_merge(between, rank % 2, &merged);
        MPI_Comm_idup(merged, &copy, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Allgather(&rank, 1, MPI_INT, out, 1, MPI_INT, copy);
        MPI_Allgatherv(&rank, 1, MPI_INT, out, (int[most]){1, 1, 1}, (int[most]){0, 1, 2}, MPI_INT, between);
        MPI_Comm_free(&copy);
        MPI_Comm_disconnect(&merged);
        MPI_Comm_free(&between);
        MPI_Comm_free(&half);
    }
}

static long kilobytes(void) { return (long)number_in("/proc/self/status", "VmRSS: %llu"); }
static void made_and_freed(void) {
    long before = 0;
    for (int i = 0; i < 2600; ++i) {
        MPI_Comm one;
        MPI_Datatype type;
        if (i == 1400) { before = kilobytes(); }
        MPI_Comm_dup(MPI_COMM_WORLD, &one);
        MPI_Type_contiguous(2, MPI_DOUBLE, &type);
        MPI_Type_commit(&type);
        MPI_Bcast(in, 1, type, 0, one);
        MPI_Allreduce(in, out, 1, MPI_DOUBLE, MPI_SUM, one);
        MPI_Type_free(&type);
        MPI_Comm_free(&one);
    }
    long const more = kilobytes() - before;
    check(more <= 800, "1200 communicators that were freed have left %ld KiB", more);
}

int main(int argc, char* argv[]) {
    int const provided = begin_mpi_with_threads(MPI_THREAD_MULTIPLE, &argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &a);
    MPI_Comm_dup(MPI_COMM_WORLD, &b);
    a_later_call_needs_a_message();
    a_communicator_is_freed(0);
    a_communicator_is_freed(1);
    requests_are_null();
    if (provided == MPI_THREAD_MULTIPLE) { threads_have_communicators(); }
    made_in_many_ways();
    if (strstr(getenv("TUTTI"), "check") == NULL) { made_and_freed(); }
    return end_mpi();
}
