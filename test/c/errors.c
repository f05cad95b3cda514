/* Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
 *
 * What can go wrong, in C: which code a function returns, what it says, and that a program which does what the code
 * asks for can go on. */
#include <support/check.h>

#include <tutti/tutti.h>

static MPI_Comm world; /* another one for each case: the first call is the one that is wrong */
static char const* now = "";

#define CHECK(holds) check(holds, "%s: %s does not hold", now, #holds)

static void begin(char const* what) {
    now = what;
    MPI_Comm_dup(MPI_COMM_WORLD, &world);
}

static void add(void* state, void const* in, void* inout, size_t n) {
    int const* left = (int const*)in;
    int* sum = (int*)inout;
    (void)state;
    for (size_t i = 0; i != n; ++i) { sum[i] += left[i]; }
}

static tutti_operator const plus = {add, NULL, 1};

static void calls_are_right(void) {
    int const one = 1;
    int sum = 0;
    CHECK(tutti_all_reduce(world, &one, &sum, 1, sizeof sum, plus) == TUTTI_SUCCESS);
    CHECK(sum == size);
    tutti_request request = NULL;
    sum = 0;
    CHECK(tutti_start_all_reduce(world, &one, &sum, 1, sizeof sum, plus, &request) == TUTTI_SUCCESS);
    CHECK(tutti_wait(request) == TUTTI_SUCCESS);
    CHECK(sum == size);
    CHECK(tutti_request_free(&request) == TUTTI_SUCCESS);
}

static void end(void) {
    calls_are_right();
    MPI_Comm_free(&world);
}

/* All ranks are wrong: none has sent anything. */
static void refused(int code, char const* says) {
    check(code == TUTTI_INVALID_ARGUMENT, "%s: %s", now, says);
    CHECK(strncmp(tutti_last_error(), "tutti: ", 7) == 0);
    check(strstr(tutti_last_error(), says) != NULL, "%s: %s", now, says);
}

static void arguments(void) {
    enum { n = 6 };
    int in[n] = {0}, out[n] = {0}, more[n] = {0};
    size_t const extent = sizeof(int);
    size_t* counts = (size_t*)calloc((size_t)size, sizeof(size_t));
    int* all = (int*)calloc((size_t)size * n, sizeof(int));
    tutti_operator const none = {NULL, NULL, 1};
    tutti_request request = (tutti_request)in;
    size_t const negative = (size_t)-1, huge = SIZE_MAX / 8;
    for (int r = 0; r != size; ++r) { counts[r] = n; }

    begin("null pointers");
    refused(tutti_all_reduce(world, NULL, out, n, extent, plus), "in is a null pointer");
    refused(tutti_all_reduce(world, in, NULL, n, extent, plus), "out is a null pointer");
    refused(tutti_all_reduce(world, TUTTI_IN_PLACE, NULL, n, extent, plus), "out is a null pointer");
    refused(tutti_reduce(world, NULL, out, n, extent, plus, 0), "in is a null pointer");
    refused(tutti_inclusive_scan(world, in, NULL, n, extent, plus), "out is a null pointer");
    refused(tutti_exclusive_scan(world, NULL, out, n, extent, plus), "in is a null pointer");
    refused(tutti_scan_reduce(world, in, NULL, out, n, extent, plus), "prefix is a null pointer");
    refused(tutti_scan_reduce(world, in, out, NULL, n, extent, plus), "total is a null pointer");
    refused(tutti_broadcast(world, NULL, n, extent, 0), "inout is a null pointer");
    refused(tutti_reduce_scatter(world, NULL, out, counts, extent, plus), "in is a null pointer");
    refused(tutti_reduce_scatter(world, all, out, NULL, extent, plus), "counts is a null pointer");
    refused(tutti_reduce_scatter_block(world, all, NULL, n, extent, plus), "out is a null pointer");
    refused(tutti_all_gather(world, in, NULL, n, extent), "out is a null pointer");
    refused(tutti_all_gatherv(world, in, all, NULL, extent), "counts is a null pointer");
    refused(tutti_gather(world, NULL, all, n, extent, 0), "in is a null pointer");
    refused(tutti_gatherv(world, NULL, n, all, counts, extent, 0), "in is a null pointer");
    refused(tutti_scatter(world, all, NULL, n, extent, 0), "out is a null pointer");
    refused(tutti_scatterv(world, all, counts, NULL, n, extent, 0), "out is a null pointer");
    refused(tutti_plan_all_reduce(world, NULL, out, n, extent, plus, &request), "in is a null pointer");
    CHECK(request == NULL);
    refused(tutti_start_all_reduce(world, in, out, n, extent, plus, NULL), "request is a null pointer");
    refused(tutti_test(NULL, NULL), "done is a null pointer");
    refused(tutti_request_free(NULL), "request is a null pointer");
    CHECK(tutti_all_reduce(world, NULL, NULL, 0, extent, plus) == TUTTI_SUCCESS);
    end();

    begin("counts");
    refused(tutti_all_reduce(world, in, out, negative, extent, plus), "is negative, or more than memory");
    refused(tutti_broadcast(world, in, negative, 1, 0), "is negative, or more than memory");
    refused(tutti_all_gather(world, in, all, huge, 16), "is negative, or more than memory");
    refused(tutti_reduce_scatter_block(world, all, out, negative, extent, plus), "is negative, or more than memory");
    counts[size - 1] = negative;
    char const* const overflow = size > 1 ? "the sum of the counts overflows" : "is negative";
    refused(tutti_all_gatherv(world, in, all, counts, extent), overflow);
    counts[0] = counts[size - 1] = negative / 2 + 1;
    refused(tutti_reduce_scatter(world, all, out, counts, extent, plus), overflow);
    for (int r = 0; r != size; ++r) { counts[r] = n; }
    refused(tutti_all_reduce(world, in, out, n, 0, plus), "records of 0 bytes; give their extent");
    end();

    begin("roots");
    refused(tutti_broadcast(world, in, n, extent, size), "is not a rank of a communicator");
    refused(tutti_reduce(world, in, out, n, extent, plus, -1), "is not a rank of a communicator");
    refused(tutti_gather(world, in, all, n, extent, size), "is not a rank of a communicator");
    refused(tutti_scatterv(world, all, counts, out, n, extent, -1), "is not a rank of a communicator");
    end();

    begin("the place of the result");
    refused(tutti_all_reduce(world, in, TUTTI_IN_PLACE, n, extent, plus), "out is TUTTI_IN_PLACE");
    refused(tutti_broadcast(world, TUTTI_IN_PLACE, n, extent, 0), "inout is TUTTI_IN_PLACE");
    refused(tutti_all_reduce(world, in, in + 1, n - 1, extent, plus), "in and out overlap");
    refused(tutti_all_reduce(world, in + n - 1, in, n, extent, plus), "in and out overlap"); /* by the last element */
    refused(tutti_scan_reduce(world, in, out, out + n / 2, n / 2 + 1, extent, plus), "in and out overlap");
    refused(tutti_scan_reduce(world, TUTTI_IN_PLACE, out, out + n / 2, n / 2 + 1, extent, plus), "in and out overlap");
    refused(tutti_all_gather(world, all + (size - 1) * n, all, n, extent), "in and out overlap");
    refused(tutti_reduce_scatter_block(world, all, all + (size - 1) * n, n, extent, plus), "in and out overlap");
    CHECK(tutti_all_reduce(world, in, in, n, extent, plus) == TUTTI_SUCCESS); /* is in place */
    end();

    begin("operators and communicators");
    refused(tutti_all_reduce(world, in, out, n, extent, none), "the operator has no function");
    refused(tutti_plan_all_reduce(world, in, out, n, extent, none, &request), "the operator has no function");
    refused(tutti_all_reduce(world, in, out, n, extent, tutti_operator_for(TUTTI_BIT_AND, TUTTI_DOUBLE)),
            "the operator has no function");
    refused(tutti_all_reduce(world, in, out, n, extent, tutti_operator_for(TUTTI_SUM, TUTTI_INT8)),
            "the sum of int8 is for elements of 1 bytes, and these have");
    refused(tutti_all_reduce(MPI_COMM_NULL, in, out, n, extent, plus), "MPI_COMM_NULL");
    refused(tutti_barrier(MPI_COMM_NULL), "MPI_COMM_NULL");
    refused(tutti_recover(MPI_COMM_NULL), "MPI_COMM_NULL");
    end();

    if (size > 1) {
        begin("TUTTI_IN_PLACE where there is no whole vector");
        int const here = rank == 0;
        int code = tutti_gather(world, here ? in : TUTTI_IN_PLACE, all, 0, extent, 0);
        CHECK(here || code == TUTTI_INVALID_ARGUMENT);
        CHECK(tutti_recover(world) == TUTTI_SUCCESS);
        code = tutti_scatter(world, all, here ? more : TUTTI_IN_PLACE, 0, extent, 0);
        CHECK(here || code == TUTTI_INVALID_ARGUMENT);
        CHECK(tutti_recover(world) == TUTTI_SUCCESS);
        end();
    }
    free(counts), free(all);
}

/* `mine` is what this rank's call has returned. */
static void recovers_after(int mine, int refuses) {
    CHECK(mine == TUTTI_SUCCESS || mine == (refuses ? TUTTI_INVALID_ARGUMENT : TUTTI_COMMUNICATION));
    CHECK(mine == TUTTI_SUCCESS || strncmp(tutti_last_error(), "tutti: ", 7) == 0);
    int const failed = mine != TUTTI_SUCCESS;
    int any = 0;
    MPI_Allreduce(&failed, &any, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
    CHECK(any);
    if (mine == TUTTI_COMMUNICATION) {
        CHECK(tutti_barrier(world) == TUTTI_COMMUNICATION);
        CHECK(strstr(tutti_last_error(), "has failed earlier") != NULL);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(tutti_recover(world) == TUTTI_SUCCESS);
    end();
}

static void ranks_disagree(void) {
    enum { n = 1000 };
    static int in[n], out[n];
    int const last = rank == size - 1;
    if (size == 1) { return; }

    begin("a rank is refused");
    recovers_after(tutti_all_reduce(world, last ? NULL : in, out, n, sizeof(int), plus), last);

    begin("a plan of one rank is refused");
    tutti_request request = NULL;
    CHECK(tutti_plan_all_reduce(world, last ? NULL : in, out, n, sizeof(int), plus, &request) ==
          (last ? TUTTI_INVALID_ARGUMENT : TUTTI_SUCCESS));
    CHECK(tutti_request_free(&request) == TUTTI_SUCCESS);
    end();

    begin("numbers of elements");
    recovers_after(tutti_all_reduce(world, in, out, last ? 1 : 2, sizeof(int), plus), 0);

    begin("extents");
    recovers_after(tutti_all_reduce(world, in, out, 2, last ? 2 : sizeof(int), plus), 0);

    begin("collectives");
    recovers_after(last ? tutti_barrier(world) : tutti_all_reduce(world, in, out, n, sizeof(int), plus), 0);

    begin("roots, compared before any data leaves");
    setenv("TUTTI_CHECK", "1", 1);
    recovers_after(tutti_broadcast(world, in, n, sizeof(int), last ? size - 1 : 0), 0);
    unsetenv("TUTTI_CHECK");

    begin("a rank that does not come in time");
    setenv("TUTTI_TIMEOUT", "0.5", 1); /* not on the first rank, which decides, unless it is this one */
    if (rank != 0) { setenv("TUTTI_TIMEOUT", "for ever", 1); }
    CHECK(tutti_barrier(world) == TUTTI_SUCCESS);
    int const code = last ? TUTTI_SUCCESS : tutti_all_reduce(world, in, out, n, sizeof(int), plus);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(last || code == TUTTI_COMMUNICATION);
    recovers_after(code, 0);
    unsetenv("TUTTI_TIMEOUT");
}

static void words_of_the_environment(void) {
    begin("no number of seconds");
    int x = 0;
    for (int i = 0; i != 3; ++i) {
        char const* const words[] = {"soon", "-1", "3 s"};
        setenv("TUTTI_TIMEOUT", words[i], 1);
        CHECK(tutti_broadcast(world, &x, 1, sizeof x, 0) == TUTTI_SUCCESS); /* said on standard error, and ignored */
    }
    unsetenv("TUTTI_TIMEOUT");
    end();
}

static int fails = 0;

static void doubtful(void* state, void const* in, void* inout, size_t n) {
    if (*(int*)state) {
        tutti_fail("these two cannot be combined");
        return;
    }
    add(NULL, in, inout, n);
}

static void operator_failed(int code, int combines) {
    CHECK(code == (combines ? TUTTI_OTHER : TUTTI_SUCCESS) || code == TUTTI_OTHER);
    char const* const text = tutti_last_error();
    if (code == TUTTI_OTHER) {
        CHECK(strcmp(text, "these two cannot be combined") == 0 || strstr(text, "an operand is missing") != NULL);
    }
}

static void operators(void) {
    enum { n = 3000 };
    static int in[n], out[n];
    tutti_operator const op = {doubtful, &fails, 1};
    tutti_request request = NULL;
    begin("an operator that fails everywhere");
    fails = 1;
    operator_failed(tutti_all_reduce(world, in, out, n, sizeof(int), op), size > 1);
    operator_failed(tutti_reduce(world, in, out, 1, sizeof(int), op, 0), size > 1 && rank == 0);
    CHECK(tutti_plan_all_reduce(world, in, out, n, sizeof(int), op, &request) == TUTTI_SUCCESS);
    CHECK(tutti_start(request) == TUTTI_SUCCESS);
    operator_failed(tutti_wait(request), size > 1);
    fails = 0; /* nothing is to be recovered, and a request may be started again */
    CHECK(tutti_start(request) == TUTTI_SUCCESS);
    CHECK(tutti_wait(request) == TUTTI_SUCCESS);
    CHECK(tutti_request_free(&request) == TUTTI_SUCCESS);
    end();
    begin("an operator that fails on one rank");
    fails = rank == 0;
    int const code = tutti_inclusive_scan(world, in, out, n, sizeof(int), op);
    CHECK(code == TUTTI_SUCCESS || code == TUTTI_OTHER);
    fails = 0;
    end();
    begin("tutti_fail outside an operator");
    tutti_fail("nothing is combined here");
    end();
}

static void requests(void) {
    int const one = 1;
    int sum = 0;
    tutti_request request = NULL;
    begin("requests");
    CHECK(tutti_plan_all_reduce(world, &one, &sum, 1, sizeof sum, plus, &request) == TUTTI_SUCCESS);
    CHECK(tutti_start(request) == TUTTI_SUCCESS);
    int done = size == 1; /* else it may run still */
    if (!done && rank == 0) {
        CHECK(tutti_start(request) == TUTTI_WRONG_USE);
        CHECK(strstr(tutti_last_error(), "still running") != NULL);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(tutti_wait(request) == TUTTI_SUCCESS && sum == size);
    MPI_Comm_free(&world);
    CHECK(tutti_start(request) == TUTTI_WRONG_USE);
    CHECK(strstr(tutti_last_error(), "communicator has been freed") != NULL);
    CHECK(tutti_request_free(&request) == TUTTI_SUCCESS);
}

int main(int argc, char** argv) {
    reason_of_failure = tutti_last_error;
    now = "MPI does not run";
    CHECK(tutti_barrier(MPI_COMM_WORLD) == TUTTI_WRONG_USE);
    begin_mpi(&argc, &argv);
    arguments();
    words_of_the_environment();
    operators();
    requests();
    ranks_disagree();
    int const code = end_mpi();
    now = "MPI does not run any more";
    CHECK(tutti_barrier(MPI_COMM_WORLD) == TUTTI_WRONG_USE);
    return code || failures;
}
