/* Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
 *
 * Every function of <tutti/tutti.h>: affine maps x -> a x + b modulo 251, whose composition does not commute, as elements
 * of 24 bytes, against what one rank finds alone. */
#include <tutti/tutti.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct map {
    unsigned a, b;
    char rest[16];
};

static long calls = 0;

static void compose(void* state, void const* in, void* inout, size_t n) {
    struct map const* left = (struct map const*)in;
    struct map* right = (struct map*)inout;
    ++*(long*)state;
    for (size_t i = 0; i != n; ++i) {
        right[i].b = (left[i].a * right[i].b + left[i].b) % 251;
        right[i].a = left[i].a * right[i].a % 251;
    }
}

static int rank, size, failures = 0;

static void check(int holds, char const* what, size_t n) {
    if (!holds) {
        fprintf(stderr, "[rank %d of %d] %s of %zu: %s\n", rank, size, what, n, tutti_last_error());
        failures = 1;
    }
}

static struct map* memory(size_t n) {
    struct map* result = (struct map*)malloc((n + 1) * sizeof(struct map));
    memset(result, 7, (n + 1) * sizeof(struct map));
    return result;
}

static struct map* operand(int of, size_t n) {
    struct map* result = memory(n);
    for (size_t i = 0; i != n; ++i) {
        result[i].a = (unsigned)(2 + ((size_t)of + i) % 100);
        result[i].b = (unsigned)((3 * i + 7 * (size_t)of) % 250);
    }
    return result;
}

/* in(first) ... in(last - 1) */
static struct map* combined(int first, int last, size_t n) {
    struct map* result = operand(last - 1, n);
    long none = 0;
    for (int r = last - 2; r >= first; --r) {
        struct map* left = operand(r, n);
        compose(&none, left, result, n);
        free(left);
    }
    return result;
}

static int same(struct map const* a, struct map const* b, size_t n) { return memcmp(a, b, n * sizeof(struct map)) == 0; }

#define EXTENT sizeof(struct map)
#define W MPI_COMM_WORLD

static void combine(size_t n) {
    tutti_operator const op = {compose, &calls, 0};
    int const root = size / 2;
    struct map* in = operand(rank, n);
    struct map* out = memory(n);
    struct map* prefix = memory(n);
    struct map* untouched = memory(n);
    struct map* all = combined(0, size, n);
    struct map* upto = combined(0, rank + 1, n);
    struct map* before = rank == 0 ? memory(n) : combined(0, rank, n);

    check(tutti_all_reduce(W, in, out, n, EXTENT, op) == 0 && same(out, all, n), "all_reduce", n);
    memcpy(out, in, n * EXTENT);
    check(tutti_all_reduce(W, TUTTI_IN_PLACE, out, n, EXTENT, op) == 0 && same(out, all, n), "all_reduce in place", n);
    memcpy(out, untouched, n * EXTENT);
    check(tutti_reduce(W, in, out, n, EXTENT, op, root) == 0 && same(out, rank == root ? all : untouched, n), "reduce", n);
    memcpy(out, in, n * EXTENT);
    check(tutti_reduce(W, rank == root ? TUTTI_IN_PLACE : in, out, n, EXTENT, op, root) == 0 &&
              same(out, rank == root ? all : in, n), "reduce in place", n);
    check(tutti_inclusive_scan(W, in, out, n, EXTENT, op) == 0 && same(out, upto, n), "inclusive_scan", n);
    memcpy(out, untouched, n * EXTENT);
    check(tutti_exclusive_scan(W, in, out, n, EXTENT, op) == 0 && same(out, before, n), "exclusive_scan", n);
    check(tutti_scan_reduce(W, in, prefix, out, n, EXTENT, op) == 0 && same(prefix, before, n) && same(out, all, n),
          "scan_reduce", n);

    size_t* counts = (size_t*)calloc((size_t)size, sizeof(size_t));
    size_t first = 0;
    for (size_t i = 0; i != n; ++i) { ++counts[i * i % (size_t)size]; }
    for (int r = 0; r != rank; ++r) { first += counts[r]; }
    size_t const own = counts[rank];
    check(tutti_reduce_scatter(W, in, out, counts, EXTENT, op) == 0 && same(out, all + first, own), "reduce_scatter", n);
    memcpy(out, in, n * EXTENT);
    check(tutti_reduce_scatter(W, TUTTI_IN_PLACE, out, counts, EXTENT, op) == 0 && same(out, all + first, own) &&
              same(out + own, in + own, n - own), "reduce_scatter in place", n);
    size_t const part = n / (size_t)size;
    check(tutti_reduce_scatter_block(W, in, out, part, EXTENT, op) == 0 && same(out, all + (size_t)rank * part, part),
          "reduce_scatter_block", part);

    tutti_request request = NULL;
    check(tutti_plan_all_reduce(W, in, out, n, EXTENT, op, &request) == 0, "plan_all_reduce", n);
    for (int run = 0; run != 3; ++run) {
        memcpy(out, untouched, n * EXTENT);
        check(tutti_start(request) == 0 && tutti_wait(request) == 0 && same(out, all, n), "a persistent call", n);
    }
    check(tutti_request_free(&request) == 0 && request == NULL, "request_free", n);
    memcpy(out, untouched, n * EXTENT);
    int done = 0;
    check(tutti_start_inclusive_scan(W, in, out, n, EXTENT, op, &request) == 0, "start_inclusive_scan", n);
    while (!done) { check(tutti_test(request, &done) == 0, "test", n); }
    check(same(out, upto, n), "a nonblocking call", n);
    tutti_request_free(&request);
    free(in), free(out), free(prefix), free(untouched), free(all), free(upto), free(before), free(counts);
}

static void move(size_t n) {
    int const root = size - 1;
    struct map* source = operand(root, n);
    struct map* out = memory(n * (size_t)size);
    if (rank == root) { memcpy(out, source, n * EXTENT); }
    check(tutti_broadcast(W, out, n, EXTENT, root) == 0 && same(out, source, n), "broadcast", n);
    size_t* counts = (size_t*)calloc((size_t)size, sizeof(size_t));
    size_t first = 0;
    for (size_t i = 0; i != n; ++i) { ++counts[i * i % (size_t)size]; }
    for (int r = 0; r != rank; ++r) { first += counts[r]; }
    size_t const own = counts[rank];
    size_t const* at_root = rank == root ? counts : NULL;

    memset(out, 0, n * EXTENT);
    check(tutti_all_gatherv(W, source + first, out, counts, EXTENT) == 0 && same(out, source, n), "all_gatherv", n);
    memset(out, 0, n * EXTENT);
    memcpy(out + first, source + first, own * EXTENT);
    check(tutti_all_gatherv(W, TUTTI_IN_PLACE, out, counts, EXTENT) == 0 && same(out, source, n), "all_gatherv in place", n);
    memset(out, 0, n * EXTENT);
    check(tutti_gatherv(W, source + first, own, out, at_root, EXTENT, root) == 0 && (rank != root || same(out, source, n)),
          "gatherv", n);
    memset(out, 0, n * EXTENT);
    check(tutti_scatterv(W, rank == root ? source : NULL, at_root, out, own, EXTENT, root) == 0 &&
              same(out, source + first, own), "scatterv", n);
    check(tutti_all_gather(W, source, out, n, EXTENT) == 0 && same(out + (size_t)(size - 1) * n, source, n), "all_gather", n);
    memset(out, 0, n * EXTENT);
    check(tutti_gather(W, source, rank == root ? out : NULL, n, EXTENT, root) == 0 &&
              (rank != root || same(out + (size_t)(size - 1) * n, source, n)), "gather", n);
    struct map* mine = memory(n);
    for (int r = 0; r != size; ++r) {
        struct map* each = operand(r, n);
        memcpy(out + (size_t)r * n, each, n * EXTENT);
        free(each);
    }
    struct map* expected = operand(rank, n);
    check(tutti_scatter(W, rank == root ? out : NULL, mine, n, EXTENT, root) == 0 && same(mine, expected, n), "scatter", n);
    check(tutti_scatter(W, rank == root ? out : NULL, rank == root ? TUTTI_IN_PLACE : mine, n, EXTENT, root) == 0 &&
              same(mine, expected, n), "scatter in place", n);
    free(source), free(out), free(counts), free(mine), free(expected);
}

static void refuse(void) {
    tutti_operator op = {compose, &calls, 0};
    struct map x = {1, 0, ""};
    struct map y = x;
    check(tutti_reduce(W, &x, &y, 1, EXTENT, op, size) == TUTTI_INVALID_ARGUMENT, "a root that is none", 1);
    check(strstr(tutti_last_error(), "is not a rank") != NULL, "its text", 1);
    check(tutti_all_reduce(MPI_COMM_NULL, &x, &y, 1, EXTENT, op) == TUTTI_INVALID_ARGUMENT, "no communicator", 1);
    check(tutti_all_reduce(W, &x, &y, 1, 0, op) == TUTTI_INVALID_ARGUMENT, "no extent", 1);
    check(tutti_broadcast(W, &x, 1, EXTENT, -1) == TUTTI_INVALID_ARGUMENT, "a negative root", 1);
    check(tutti_scatterv(W, &x, NULL, &y, 1, EXTENT, rank) == TUTTI_INVALID_ARGUMENT, "no counts", 1);
    op.combine = NULL;
    check(tutti_all_reduce(W, &x, &y, 1, EXTENT, op) == TUTTI_INVALID_ARGUMENT, "no function", 1);
    check(strcmp(tutti_error_string(TUTTI_SUCCESS), "success") == 0, "error_string", 0);
    check(strlen(tutti_error_string(4711)) != 0, "error_string", 0);
    check(tutti_wait(NULL) == 0 && tutti_start(NULL) == 0, "no request", 0);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(W, &rank);
    MPI_Comm_size(W, &size);
    size_t const lengths[] = {0, 1, 5, 1000, 30011};
    for (size_t i = 0; i != sizeof lengths / sizeof *lengths; ++i) {
        combine(lengths[i]);
        move(lengths[i]);
    }
    refuse();
    check(tutti_barrier(W) == 0, "barrier", 0);
    combine(10); /* after refused calls */
    check(size == 1 || calls > 0, "the state is the caller's", 0);
    MPI_Finalize();
    return failures;
}
