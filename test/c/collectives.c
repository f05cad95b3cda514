/* Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
 *
 * Every function of <tutti/tutti.h>: affine maps x -> a x + b modulo 251, whose composition does not commute, as
 * elements of 24 bytes, against what one rank finds alone. */
#include <support/check.h>

#include <tutti/tutti.h>

#define EXTENT sizeof(struct map)
#define W MPI_COMM_WORLD

struct map {
    int a, b;
    char rest[16];
};

static long calls = 0;

static void compose(void* state, void const* in, void* inout, size_t n) {
    struct map const* left = (struct map const*)in;
    struct map* right = (struct map*)inout;
    ++*(long*)state;
    for (size_t i = 0; i != n; ++i) { compose_map(left[i].a, left[i].b, &right[i].a, &right[i].b); }
}

static struct map* memory(size_t n) {
    struct map* result = (struct map*)malloc((n + 1) * EXTENT);
    memset(result, 7, (n + 1) * EXTENT);
    return result;
}

static struct map* operand(int of, size_t n) {
    struct map* result = memory(n);
    for (size_t i = 0; i != n; ++i) {
        result[i].a = (int)(2 + ((size_t)of + i) % 100);
        result[i].b = (int)((3 * i + 7 * (size_t)of) % 250);
    }
    return result;
}

/* in(first) ... in(last - 1) */
static struct map* combined_maps(int first, int last, size_t n) {
    struct map* result = operand(last - 1, n);
    long none = 0;
    for (int r = last - 2; r >= first; --r) {
        struct map* left = operand(r, n);
        compose(&none, left, result, n);
        free(left);
    }
    return result;
}

static int same(struct map const* a, struct map const* b, size_t n) { return memcmp(a, b, n * EXTENT) == 0; }

/* How many of n elements each rank has, and where this rank's begin. */
static size_t* unequal_counts(size_t n, size_t* first) {
    size_t* counts = (size_t*)calloc((size_t)size, sizeof(size_t));
    for (size_t i = 0; i != n; ++i) { ++counts[i * i % (size_t)size]; }
    *first = 0;
    for (int r = 0; r != rank; ++r) { *first += counts[r]; }
    return counts;
}

/* A call that finds in `out` what `begins` has. */
#define CALL(begins, holds, name, ...)                                                                                 \
    memcpy(out, begins, n * EXTENT);                                                                                   \
    check(tutti_##name(W, __VA_ARGS__) == 0 && (holds), #name "(" #__VA_ARGS__ "), n = %zu", n)

static void combine(size_t n) {
    tutti_operator const op = {compose, &calls, 0};
    int const root = size / 2, is_root = rank == root;
    struct map *in = operand(rank, n), *out = memory(n), *prefix = memory(n), *untouched = memory(n);
    struct map *all = combined_maps(0, size, n), *upto = combined_maps(0, rank + 1, n);
    struct map* before = rank == 0 ? memory(n) : combined_maps(0, rank, n);
    CALL(untouched, same(out, all, n), all_reduce, in, out, n, EXTENT, op);
    CALL(in, same(out, all, n), all_reduce, TUTTI_IN_PLACE, out, n, EXTENT, op);
    CALL(untouched, same(out, is_root ? all : untouched, n), reduce, in, out, n, EXTENT, op, root);
    CALL(in, same(out, is_root ? all : in, n), reduce, is_root ? TUTTI_IN_PLACE : in, out, n, EXTENT, op, root);
    CALL(in, same(out, upto, n), inclusive_scan, in, out, n, EXTENT, op);
    CALL(untouched, same(out, before, n), exclusive_scan, in, out, n, EXTENT, op);
    CALL(untouched, same(prefix, before, n) && same(out, all, n), scan_reduce, in, prefix, out, n, EXTENT, op);

    size_t first = 0, part = n / (size_t)size;
    size_t* counts = unequal_counts(n, &first);
    size_t const own = counts[rank];
    CALL(untouched, same(out, all + first, own), reduce_scatter, in, out, counts, EXTENT, op);
    CALL(in, same(out, all + first, own) && same(out + own, in + own, n - own), reduce_scatter, TUTTI_IN_PLACE, out,
         counts, EXTENT, op);
    CALL(untouched, same(out, all + (size_t)rank * part, part), reduce_scatter_block, in, out, part, EXTENT, op);

    tutti_request request = NULL;
    CALL(untouched, request != NULL, plan_all_reduce, in, out, n, EXTENT, op, &request);
    for (int run = 0; run != 3; ++run) {
        memcpy(out, untouched, n * EXTENT);
        check(tutti_start(request) == 0 && tutti_wait(request) == 0 && same(out, all, n), "persistent, n = %zu", n);
    }
    check(tutti_request_free(&request) == 0 && request == NULL, "request_free, n = %zu", n);
    int done = 0;
    CALL(untouched, 1, start_inclusive_scan, in, out, n, EXTENT, op, &request);
    while (!done) { check(tutti_test(request, &done) == 0, "test, n = %zu", n); }
    check(same(out, upto, n), "a nonblocking call, n = %zu", n);
    tutti_request_free(&request);
    free(in), free(out), free(prefix), free(untouched), free(all), free(upto), free(before), free(counts);
}

static void move(size_t n) {
    int const root = size - 1, is_root = rank == root;
    struct map *source = operand(root, n), *out = memory(n * (size_t)size), *mine = memory(n);
    struct map *own_part = operand(rank, n), *zeros = (struct map*)calloc(n + 1, EXTENT);
    struct map const* last = out + (size_t)root * n;
    size_t first = 0;
    size_t* counts = unequal_counts(n, &first);
    size_t const own = counts[rank];
    size_t const* at_root = is_root ? counts : NULL;
    CALL(is_root ? source : zeros, same(out, source, n), broadcast, out, n, EXTENT, root);
    CALL(zeros, same(out, source, n), all_gatherv, source + first, out, counts, EXTENT);
    memset(out, 0, n * EXTENT);
    memcpy(out + first, source + first, own * EXTENT);
    check(tutti_all_gatherv(W, TUTTI_IN_PLACE, out, counts, EXTENT) == 0 && same(out, source, n), "gathered in place");
    CALL(zeros, !is_root || same(out, source, n), gatherv, source + first, own, out, at_root, EXTENT, root);
    CALL(zeros, same(out, source + first, own), scatterv, is_root ? source : NULL, at_root, out, own, EXTENT, root);
    CALL(zeros, same(last, source, n), all_gather, source, out, n, EXTENT);
    CALL(zeros, !is_root || same(last, source, n), gather, source, is_root ? out : NULL, n, EXTENT, root);
    for (int r = 0; r != size; ++r) {
        struct map* each = operand(r, n);
        memcpy(out + (size_t)r * n, each, n * EXTENT);
        free(each);
    }
    check(tutti_scatter(W, is_root ? out : NULL, mine, n, EXTENT, root) == 0 && same(mine, own_part, n), "scatter");
    check(tutti_scatter(W, is_root ? out : NULL, is_root ? TUTTI_IN_PLACE : mine, n, EXTENT, root) == 0 &&
              same(mine, own_part, n), "scatter in place");
    free(source), free(out), free(counts), free(mine), free(own_part), free(zeros);
}

static void refuse(void) {
    tutti_operator op = {compose, &calls, 0};
    struct map x = {1, 0, ""};
    struct map y = x;
    check(tutti_reduce(W, &x, &y, 1, EXTENT, op, size) == TUTTI_INVALID_ARGUMENT, "a root that is none");
    check(strstr(tutti_last_error(), "is not a rank") != NULL, "its text");
    check(tutti_all_reduce(MPI_COMM_NULL, &x, &y, 1, EXTENT, op) == TUTTI_INVALID_ARGUMENT, "no communicator");
    check(tutti_all_reduce(W, &x, &y, 1, 0, op) == TUTTI_INVALID_ARGUMENT, "no extent");
    check(tutti_broadcast(W, &x, 1, EXTENT, -1) == TUTTI_INVALID_ARGUMENT, "a negative root");
    check(tutti_scatterv(W, &x, NULL, &y, 1, EXTENT, rank) == TUTTI_INVALID_ARGUMENT, "no counts");
    op.combine = NULL;
    check(tutti_all_reduce(W, &x, &y, 1, EXTENT, op) == TUTTI_INVALID_ARGUMENT, "no function");
    check(strcmp(tutti_error_string(TUTTI_SUCCESS), "success") == 0, "error_string");
    check(strlen(tutti_error_string(4711)) != 0, "error_string");
    check(tutti_wait(NULL) == 0 && tutti_start(NULL) == 0, "no request");
}

int main(int argc, char** argv) {
    size_t const lengths[] = {0, 1, 5, 1000, 30011};
    reason_of_failure = tutti_last_error;
    begin_mpi(&argc, &argv);
    for (int i = 0; i != 5; ++i) {
        combine(lengths[i]);
        move(lengths[i]);
    }
    refuse();
    check(tutti_barrier(W) == 0, "barrier");
    combine(10); /* after refused calls */
    check(size == 1 || calls > 0, "the state is the caller's");
    return end_mpi();
}
