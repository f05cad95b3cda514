/* Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
 *
 * Objects of another length on each rank: texts that are joined in order, and sets that are united. */
#include <support/check.h>

#include <tutti/tutti.h>

#define W MPI_COMM_WORLD

static long calls = 0;

static void join(void* state, void const* a, size_t na, void const* b, size_t nb, tutti_grow* grow, void* result) {
    char* const out = (char*)grow(result, na + nb);
    ++*(long*)state;
    if (out == NULL) { return; }
    if (na != 0) { memcpy(out, a, na); }
    if (nb != 0) { memcpy(out + na, b, nb); }
}

/* a and b are sorted numbers without repetition, and so is the result, whose length is known at the end only */
static void unite(void* state, void const* a, size_t na, void const* b, size_t nb, tutti_grow* grow, void* result) {
    int const* left = (int const*)a;
    int const* right = (int const*)b;
    size_t const nl = na / sizeof *left, nr = nb / sizeof *right;
    int* out = (int*)grow(result, na + nb);
    size_t i = 0, j = 0, n = 0;
    (void)state;
    while (i != nl || j != nr) {
        if (j == nr || (i != nl && left[i] < right[j])) {
            out[n++] = left[i++];
        } else {
            if (i != nl && left[i] == right[j]) { ++i; }
            out[n++] = right[j++];
        }
    }
    grow(result, n * sizeof *out);
}

static void fails(void* state, void const* a, size_t na, void const* b, size_t nb, tutti_grow* grow, void* result) {
    (void)state, (void)a, (void)na, (void)b, (void)nb, (void)grow, (void)result;
    tutti_fail("these cannot be joined");
}

/* "0", "11", "222", ..., none on every fourth rank */
static size_t word(int of, char* out) {
    size_t const n = of % 4 == 3 ? 0 : (size_t)(of + 1) * 100;
    memset(out, 'a' + of % 26, n);
    return n;
}
static size_t words(int end, char* out) {
    size_t n = 0;
    for (int r = 0; r != end; ++r) { n += word(r, out + n); }
    return n;
}
static int is(tutti_object const* object, char const* text, size_t n) {
    return object->size == n && (n == 0 || memcmp(object->bytes, text, n) == 0);
}

int main(int argc, char** argv) {
    tutti_object_operator const joined = {join, &calls, 0};
    tutti_object_operator const united = {unite, NULL, 1};
    tutti_object result = {NULL, 0};
    reason_of_failure = tutti_last_error;
    begin_mpi(&argc, &argv);
    int const root = size / 2;
    char* const mine = (char*)malloc(1 + 100 * (size_t)size);
    char* const all = (char*)malloc(1 + 100 * (size_t)size * (size_t)(size + 1));
    size_t const n = word(rank, mine);

    /* what a call gives is the text of `ranks` ranks, or of none */
#define CALL(name, ranks, ...)                                                                                         \
    check(tutti_##name##_objects(W, __VA_ARGS__, &result) == 0 && is(&result, all, words(ranks, all)), #name);         \
    tutti_object_free(&result);                                                                                        \
    check(result.bytes == NULL && result.size == 0, "a freed object")
    CALL(all_reduce, size, mine, n, joined);
    CALL(reduce, rank == root ? size : 0, mine, n, joined, root);
    CALL(inclusive_scan, rank + 1, mine, n, joined);
    CALL(exclusive_scan, rank, mine, n, joined);
    size_t const of_root = word(root, all);
    check(tutti_broadcast_objects(W, rank == root ? mine : NULL, rank == root ? n : 7, root, &result) == 0, "cast");
    check(is(&result, all, of_root), "what is broadcast");
    tutti_object_free(&result);
    check(size == 1 || calls != 0 || rank != root, "the state");

    /* multiples of 2, 3, 4, ... below 1000 */
    int multiples[1000], expected[1000];
    size_t count = 0, due = 0;
    for (int i = 0; i != 1000; ++i) {
        int any = 0;
        if (i % (rank + 2) == 0) { multiples[count++] = i; }
        for (int r = 0; r != size; ++r) { any = any || i % (r + 2) == 0; }
        if (any) { expected[due++] = i; }
    }
    check(tutti_all_reduce_objects(W, multiples, count * sizeof *multiples, united, &result) == 0, "union");
    check(is(&result, (char const*)expected, due * sizeof *expected), "the numbers of the union");
    tutti_object_free(&result);

    /* what is wrong */
    tutti_object_operator const none = {NULL, NULL, 0};
    tutti_object_operator const failing = {fails, NULL, 0};
    if (size == 1) {
        check(tutti_all_reduce_objects(W, mine, n, none, &result) == TUTTI_INVALID_ARGUMENT, "no operator");
        check(tutti_all_reduce_objects(W, NULL, 7, joined, &result) == TUTTI_INVALID_ARGUMENT, "bytes nowhere");
        check(tutti_all_reduce_objects(W, mine, n, joined, NULL) == TUTTI_INVALID_ARGUMENT, "result nowhere");
    } else {
        check(tutti_all_reduce_objects(W, mine, n, failing, &result) == TUTTI_OTHER && result.bytes == NULL, "failing");
        check(tutti_all_reduce_objects(W, mine, n, joined, &result) == 0, "and afterwards");
        tutti_object_free(&result);
    }
    free(mine);
    free(all);
    return end_mpi();
}
