/* Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
 *
 * wrong CASE: a program with a mistake, most often of its last rank, "the wrong one". Its first rank prints what
 * TUTTI=watch, or TUTTI=watch,check, has to say of it: after "expect: ", a regular expression for a line of standard
 * error. */
#include <support/check.h>

#include <assert.h>
#include <pthread.h>
#include <signal.h>

static int wrong;

/* The line that is expected after "rank N: " of the wrong rank, and after "ranks ...: " of the others. */
static void expect(int of, const char* text, int line) {
    if (rank == 0) {
        if (line > 0) {
            printf("expect: rank %d: .*%s.*, wrong[.]c:%d\n", of, text, line);
        } else {
            printf("expect: %s\n", text);
        }
        fflush(stdout);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static double in[64], out[64];
static int ones[64], in_turn[64]; /* 1, 1, 1, ... and 0, 1, 2, ... */
enum { sums_line = __LINE__ + 1 };
static void sums(MPI_Comm on) { MPI_Allreduce(in, out, 4, MPI_DOUBLE, MPI_SUM, on); }
enum { finish_line = __LINE__ + 1 };
static void finish(void) { MPI_Finalize(); }

static void leave_out(void) {
    expect(wrong, "has not come, it is in MPI_Finalize", finish_line);
    for (int i = 0; i < 3; ++i) sums(MPI_COMM_WORLD);
    if (rank != wrong) sums(MPI_COMM_WORLD);
}
static void one_more(void) {
    expect(wrong, "MPI_Allreduce of 32 bytes, .*call 5 on MPI_COMM_WORLD", sums_line);
    for (int i = 0; i < 3 + (rank == wrong); ++i) sums(MPI_COMM_WORLD);
}
static void receive(void) {
    expect(wrong, "has not come, it is in MPI_Recv from rank 0, tag 9", __LINE__ + 1);
    if (rank == wrong) MPI_Recv(in, 1, MPI_DOUBLE, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    sums(MPI_COMM_WORLD);
}
static void other_function(void) {
    expect(wrong, "MPI_Barrier", __LINE__ + 3);
    expect(0, "these calls do not match: the functions differ", 0);
    if (rank == wrong) {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    sums(MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
}
static void endless(void) {
    expect(wrong, "has not come, its last call was MPI_Bcast of 8 bytes, root 0", __LINE__ + 1);
    MPI_Bcast(in, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    volatile int forever = rank == wrong;
    while (forever) {}
    sums(MPI_COMM_WORLD);
}
static void nonblocking(void) {
    expect(wrong, "has not come, its last call was MPI_Iallreduce of 32 bytes", __LINE__ + 3);
    MPI_Request request;
    sums(MPI_COMM_WORLD);
    MPI_Iallreduce(in, out, 4, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
    if (rank == wrong) {
        for (;;) sleep(1);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    sums(MPI_COMM_WORLD);
}
static void tested(void) {
    expect(wrong, "has not come, its last call was MPI_Allreduce of 32 bytes", sums_line);
    MPI_Request request;
    sums(MPI_COMM_WORLD);
    if (rank == wrong) {
        for (;;) sleep(1);
    }
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    for (int done = 0; !done;) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        usleep(1000);
    }
}
static void duplicate(void) {
    expect(wrong, "has not come, it is in MPI_Allreduce of 32 bytes, .* on communicator 1", sums_line);
    MPI_Comm other;
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    sums(other);
    sums(rank == wrong ? other : MPI_COMM_WORLD);
    sums(rank == wrong ? MPI_COMM_WORLD : other);
}
static void crossed(void) {
    expect(0, "ranks are in collectives of different communicators", 0);
    expect(0, "MPI_Allreduce of 32 bytes, .*, call 1 on communicator 2 of ranks 0-", 0);
    MPI_Comm a, b;
    MPI_Comm_dup(MPI_COMM_WORLD, &a);
    MPI_Comm_dup(MPI_COMM_WORLD, &b);
    sums(rank == wrong ? a : b);
    sums(rank == wrong ? b : a);
}
static void part(void) {
    MPI_Comm without_0;
    expect(0, "MPI_Allreduce, call 1 on communicator 1 of ranks 1.*, made by part, wrong[.]c:[0-9]*, has waited", 0);
    expect(wrong, "has not come, it is in MPI_Barrier, call 4 on MPI_COMM_WORLD", __LINE__ + 3);
    MPI_Comm_split(MPI_COMM_WORLD, rank > 0, rank, &without_0);
    if (rank != wrong) sums(without_0);
    MPI_Barrier(MPI_COMM_WORLD);
}
static void make(void) {
    MPI_Comm made;
    expect(wrong, "MPI_Allreduce of 32 bytes", sums_line);
    expect(0, "these calls do not match: the functions differ", 0);
    if (rank != wrong) MPI_Comm_dup(MPI_COMM_WORLD, &made);
    sums(MPI_COMM_WORLD);
    sums(MPI_COMM_WORLD);
}
static void leave_by_exit(void) {
    expect(0, "rank [0-9]* leaves by exit.*, from leave_by_exit, wrong[.]c:[0-9]*; its last call was MPI_Allreduce", 0);
    sums(MPI_COMM_WORLD);
    if (rank == wrong) exit(3);
    sums(MPI_COMM_WORLD);
}
static void leave_by_abort(void) {
    expect(0, "rank [0-9]* is aborted, from leave_by_abort, wrong[.]c:[0-9]*; its last call was MPI_Allreduce", 0);
    sums(MPI_COMM_WORLD);
    if (rank == wrong) abort();
    sums(MPI_COMM_WORLD);
}
/* Each way out of a rank that is told once. */
static void leave(const char* how, void (*by)(void)) {
    char text[200];
    snprintf(text, sizeof text, "^tutti: rank [0-9]* %s, from .*wrong[.]c:[0-9]*; its last call was MPI_Allreduce",
             how);
    expect(0, text, 0);
    sums(MPI_COMM_WORLD);
    if (rank == wrong) by();
    sums(MPI_COMM_WORLD);
}
static void fail_assertion(void) { assert(in[0] != 0); }
static void raise_abort(void) { raise(SIGABRT); }
static void exit_quickly(void) { quick_exit(4); }
static void* exit_there(void* p) { exit(p == NULL ? 3 : 4); }
static void exit_by_thread(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, exit_there, NULL);
    pthread_join(thread, NULL);
}
static void leave_by_assert(void) { leave("is aborted", fail_assertion); }
static void leave_by_raise(void) { leave("is aborted", raise_abort); }
static void leave_by_quick_exit(void) { leave("leaves by quick_exit, without MPI_Finalize", exit_quickly); }
static void leave_by_thread(void) { leave("leaves by exit.*, without MPI_Finalize", exit_by_thread); }
static void handled(int signal) { exit(signal == SIGABRT ? 5 : 6); }
static void handle_abort(void) {
    signal(SIGABRT, handled);
    abort();
}
static void leave_by_handler(void) { leave("leaves by exit.*, without MPI_Finalize", handle_abort); }
static void abort_all(void) {
    expect(0, "rank [0-9]* calls MPI_Abort, from abort_all, wrong[.]c:[0-9]*; its last call was MPI_Allreduce", 0);
    sums(MPI_COMM_WORLD);
    if (rank == wrong) MPI_Abort(MPI_COMM_WORLD, 3);
    sums(MPI_COMM_WORLD);
}
/* Communicators that a rank sees in another order than it has begun to make them. */
static void made_meanwhile(void) {
    MPI_Comm all[3], between, merged;
    MPI_Request requests[3];
    MPI_Group group;
    expect(wrong, "has not come, it is in MPI_Recv from rank 0, tag 9", __LINE__ + 16);
    expect(0, "ranks 0.*: MPI_Allreduce of 32 bytes.*call 2 on communicator 2 of ranks 0-2, made by made_meanwhile", 0);
    for (int i = 0; i < 3; ++i) MPI_Comm_idup(MPI_COMM_WORLD, &all[i], &requests[i]);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 3; ++i) {
        const int k = (i + rank) % 3;
        MPI_Sendrecv(in, 1, MPI_INT, rank, 3, out, 1, MPI_INT, rank, 3, all[k], MPI_STATUS_IGNORE);
    }
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Comm_create_group(MPI_COMM_WORLD, group, 4, &merged);
    MPI_Group_free(&group);
    sums(merged);
    MPI_Comm_split(MPI_COMM_WORLD, rank == wrong, 0, &merged);
    MPI_Intercomm_create(merged, 0, MPI_COMM_WORLD, rank == wrong ? 0 : wrong, 5, &between);
    sums(all[1]);
    if (rank == wrong) {
        MPI_Recv(in, 1, MPI_DOUBLE, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    sums(all[1]);
    MPI_Intercomm_merge(between, rank == wrong, &merged);
}
static void threads(void) { /* with MPI_THREAD_MULTIPLE */
    leave_out();
}

/* With TUTTI=watch,check: what MPI would perform, with wrong data. */
static void root(void) {
    expect(0, "these calls do not match: the roots differ", 0);
    expect(wrong, "MPI_Bcast of 8 bytes, root 1", __LINE__ + 1);
    MPI_Bcast(in, 1, MPI_DOUBLE, rank == wrong ? 1 : 0, MPI_COMM_WORLD);
}
static void count(void) {
    expect(0, "these calls do not match: the numbers of bytes differ", 0);
    expect(wrong, "MPI_Allreduce of 16 bytes", __LINE__ + 1);
    MPI_Allreduce(in, out, rank == wrong ? 2 : 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}
static void type(void) {
    expect(0, "these calls do not match: the datatypes differ", 0);
    expect(wrong, "MPI_Reduce of 4 bytes, root 0, MPI_SUM of MPI_FLOAT", __LINE__ + 1);
    MPI_Reduce(in, out, 1, rank == wrong ? MPI_FLOAT : MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
}
static void operation(void) {
    expect(0, "these calls do not match: the operators differ", 0);
    expect(wrong, "MPI_Scan of 8 bytes, MPI_MAX of MPI_DOUBLE", __LINE__ + 1);
    MPI_Scan(in, out, 1, MPI_DOUBLE, rank == wrong ? MPI_MAX : MPI_SUM, MPI_COMM_WORLD);
}
static void parts(void) {
    expect(0, "these calls do not match: the lengths of parts differ", 0);
    expect(wrong, "MPI_Gatherv of 16 bytes, root 0", __LINE__ + 1);
    MPI_Gatherv(in, rank == wrong ? 2 : 1, MPI_DOUBLE, out, ones, in_turn, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}
/* Calls of one number that differ: the first of the wrong rank's has ended there. */
static void other_by_now(void) {
    expect(wrong, "has called MPI_Reduce of 32 bytes, root 0, .* instead, and it is in MPI_Finalize", finish_line);
    expect(0, "these calls do not match: the functions differ", 0);
    if (rank == wrong) {
        MPI_Reduce(in, out, 4, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    } else {
        sums(MPI_COMM_WORLD);
    }
}
static void mix(int who) { /* blocks, and the others do not */
    MPI_Request request;
    if (rank == who) {
        sums(MPI_COMM_WORLD);
    } else {
        MPI_Iallreduce(in, out, 4, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}
static void mixed(void) {
    expect(wrong, "MPI_Allreduce of 32 bytes", sums_line);
    expect(0, "these calls do not match: the functions differ, since a nonblocking one", 0);
    expect(0, "ranks 0.*: .*MPI_Iallreduce of 32 bytes", 0);
    mix(wrong);
}
static void mixed_on_others(void) { /* the rank that compares is in the call that blocks */
    expect(0, "MPI_Allreduce of 32 bytes", sums_line);
    expect(0, "these calls do not match: the functions differ, since a nonblocking one", 0);
    mix(0);
}
static void begun_by_some(void) {
    MPI_Request request;
    expect(wrong, "MPI_Allreduce of 32 bytes, .*, call 3 on MPI_COMM_WORLD", sums_line);
    expect(0, "ranks 0.*: MPI_Iallreduce of 32 bytes, .*, call 3 on MPI_COMM_WORLD", 0);
    if (rank != wrong) MPI_Iallreduce(in, out, 4, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
    sums(MPI_COMM_WORLD);
}
static void begun_at_last(void) {
    MPI_Request request;
    expect(0, "not all ranks have begun this call, which is missing on 3", 0);
    if (rank != wrong) MPI_Ibcast(in, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD, &request);
}
static void all_to_all_w(void) {
    int counts[64], places[64];
    MPI_Datatype types[64];
    for (int i = 0; i < size; ++i) {
        counts[i] = rank == wrong && i == 1 ? 3 : 1;
        places[i] = 8 * i;
        types[i] = MPI_DOUBLE;
    }
    expect(0, "the lengths of parts differ: rank 3 has 24 bytes for rank 1, which takes 8", 0);
    MPI_Alltoallw(in, counts, places, types, out, ones, places, types, MPI_COMM_WORLD);
}
static void nonblocking_parts(void) {
    MPI_Request request;
    expect(0, "the lengths of parts differ: rank 0 has 8 bytes for rank 3, which takes 16", 0);
    MPI_Iscatterv(in, ones, in_turn, MPI_DOUBLE, out, rank == wrong ? 2 : 1, MPI_DOUBLE, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}
static void reduced_parts(void) {
    int counts[64];
    for (int i = 0; i < size; ++i) counts[i] = rank == wrong ? (i == 0) + (i != 1) : 1;
    expect(0, "the lengths of parts differ: that of rank 0 has 8 bytes on rank 0, and 16 on rank 3", 0);
    MPI_Reduce_scatter(in, out, counts, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}
static void all_to_all(void) {
    int counts[64];
    for (int i = 0; i < size; ++i) counts[i] = rank == wrong && i == 0 ? 2 : 1;
    expect(0, "the lengths of parts differ: rank 3 has 16 bytes for rank 0, which takes 8", 0);
    MPI_Alltoallv(in, counts, in_turn, MPI_DOUBLE, out, ones, in_turn, MPI_DOUBLE, MPI_COMM_WORLD);
}
static void order(void) {
    expect(0, "these calls do not match: the functions differ", 0);
    expect(wrong, "MPI_Bcast of 8 bytes, root 0", __LINE__ + 2);
    if (rank != wrong) MPI_Reduce(in, out, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Bcast(in, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (rank == wrong) MPI_Reduce(in, out, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
}
static void nonblocking_root(void) {
    MPI_Request request;
    expect(0, "these calls do not match: the roots differ", 0);
    expect(wrong, "MPI_Ibcast of 8 bytes, root 1", __LINE__ + 1);
    MPI_Ibcast(in, 1, MPI_DOUBLE, rank == wrong ? 1 : 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    sums(MPI_COMM_WORLD);
}

#define CASES(CASE)                                                                                                    \
    CASE(leave_out) CASE(one_more) CASE(receive) CASE(other_function) CASE(endless) CASE(nonblocking) CASE(tested)     \
    CASE(duplicate) CASE(crossed) CASE(part) CASE(make) CASE(leave_by_exit) CASE(leave_by_abort)                       \
    CASE(leave_by_assert) CASE(leave_by_raise) CASE(leave_by_quick_exit) CASE(leave_by_thread)                         \
    CASE(leave_by_handler) CASE(abort_all) CASE(made_meanwhile) CASE(threads) CASE(root) CASE(count) CASE(type)        \
    CASE(operation) CASE(parts) CASE(all_to_all) CASE(all_to_all_w) CASE(nonblocking_parts) CASE(reduced_parts)        \
    CASE(other_by_now) CASE(mixed) CASE(mixed_on_others) CASE(begun_by_some) CASE(begun_at_last) CASE(order)           \
    CASE(nonblocking_root)
#define CASE(name) {#name, name},
static const struct {
    const char* name;
    void (*run)(void);
} cases[] = {CASES(CASE)};

int main(int argc, char** argv) {
    const char* const name = argc > 1 ? argv[1] : "";
    begin_mpi_with_threads(strcmp(name, "threads") == 0 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &argc, &argv);
    wrong = size - 1;
    for (int i = 0; i < 64; ++i) ones[i] = 1, in_turn[i] = i;
    for (size_t i = 0; i != sizeof cases / sizeof *cases; ++i) {
        if (strcmp(cases[i].name, name) == 0) {
            cases[i].run();
            finish();
            return 0;
        }
    }
    return 1; /* run.sh says that nothing is expected */
}
