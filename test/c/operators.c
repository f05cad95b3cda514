/* Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
 *
 * Operators of tutti's own, structs with an operator for each member, sequences, and algorithms by name. */
#include <tutti/tutti.h>

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define W MPI_COMM_WORLD

static int rank, size, failures = 0;

static void check(int holds, char const* what) {
    if (!holds) {
        fprintf(stderr, "[rank %d of %d] %s: %s\n", rank, size, what, tutti_last_error());
        failures = 1;
    }
}

static void numbers(void) {
    int32_t const whole = rank + 1;
    double const number = rank + 0.5;
    float const complex[2] = {1, (float)rank};
    uint8_t const bits = (uint8_t)(1 << rank % 8);
    int32_t sum = 0;
    double product = 0, least = 0;
    float both[2];
    uint8_t set = 0;
    check(tutti_all_reduce(W, &whole, &sum, 1, sizeof sum, tutti_operator_for(TUTTI_SUM, TUTTI_INT32)) == 0 &&
              sum == size * (size + 1) / 2,
          "sum");
    check(tutti_all_reduce(W, &number, &least, 1, sizeof least, tutti_operator_for(TUTTI_MINIMUM, TUTTI_DOUBLE)) == 0 &&
              least == 0.5,
          "minimum");
    check(tutti_all_reduce(W, &number, &product, 1, sizeof product, tutti_operator_for(TUTTI_PRODUCT, TUTTI_DOUBLE)) ==
                  0 &&
              product >= 0.5,
          "product");
    check(tutti_all_reduce(W, complex, both, 1, sizeof both, tutti_operator_for(TUTTI_SUM, TUTTI_COMPLEX_FLOAT)) == 0 &&
              both[0] == (float)size && both[1] == (float)(size * (size - 1) / 2),
          "complex sum");
    check(tutti_all_reduce(W, &bits, &set, 1, 1, tutti_operator_for(TUTTI_BIT_OR, TUTTI_UINT8)) == 0 &&
              set == (size >= 8 ? 255 : (1 << size) - 1),
          "bits");
    check(tutti_operator_for(TUTTI_MINIMUM, TUTTI_COMPLEX_DOUBLE).combine == NULL &&
              tutti_operator_for(TUTTI_BIT_AND, TUTTI_FLOAT).combine == NULL &&
              tutti_operator_for(0, TUTTI_FLOAT).combine == NULL && tutti_operator_for(TUTTI_SUM, 99).combine == NULL,
          "operators that there are not");
    for (int function = TUTTI_SUM; function <= TUTTI_BIT_XOR; ++function) {
        check(tutti_operator_for(function, TUTTI_INT64).combine != NULL, "an operator on whole numbers");
    }
}

struct state {
    double mass;
    int64_t worst;
    float least[3];
};

static void members(void) {
    tutti_member const each[3] = {
        {offsetof(struct state, mass), 0, tutti_operator_for(TUTTI_SUM, TUTTI_DOUBLE)},
        {offsetof(struct state, worst), 0, tutti_operator_for(TUTTI_MAXIMUM, TUTTI_INT64)},
        {offsetof(struct state, least), 3, tutti_operator_for(TUTTI_MINIMUM, TUTTI_FLOAT)},
    };
    tutti_members const all = {each, 3, sizeof(struct state)};
    struct state here[2], there[2];
    memset(here, 0, sizeof here);
    for (int i = 0; i != 2; ++i) {
        here[i].mass = i + 1;
        here[i].worst = 10 * rank + i;
        for (int j = 0; j != 3; ++j) { here[i].least[j] = (float)(j - rank); }
    }
    check(tutti_each(&all).commutes, "it commutes");
    check(tutti_all_reduce(W, here, there, 2, sizeof *here, tutti_each(&all)) == 0, "each");
    for (int i = 0; i != 2; ++i) {
        check(there[i].mass == size * (i + 1) && there[i].worst == 10 * (size - 1) + i &&
                  there[i].least[2] == (float)(3 - size),
              "members");
    }
    check(tutti_each(NULL).combine == NULL, "no members");
}

struct map {
    unsigned a, b;
};
static void compose(void* state, void const* in, void* inout, size_t n) {
    struct map const* left = (struct map const*)in;
    struct map* right = (struct map*)inout;
    (void)state;
    for (size_t i = 0; i != n; ++i) {
        right[i].b = (left[i].a * right[i].b + left[i].b) % 251;
        right[i].a = left[i].a * right[i].a % 251;
    }
}
static struct map map_at(size_t i) {
    struct map const result = {(unsigned)(2 + i % 100), (unsigned)(3 * i % 250)};
    return result;
}
static int is(struct map a, struct map b) { return a.a == b.a && a.b == b.b; }

/* Rank r holds elements first .. first + count - 1; some ranks have none. */
static void sequence(size_t all) {
    tutti_operator const op = {compose, NULL, 0};
    tutti_operator const plus = tutti_operator_for(TUTTI_SUM, TUTTI_DOUBLE);
    size_t first = 0, count = 0, given = 0;
    for (int r = 0; r != size; ++r) {
        size_t const n = r == size - 1 ? all - given : r % 3 == 1 ? 0 : (all - given) / 2;
        if (r == rank) { first = given, count = n; }
        given += n;
    }
    struct map* in = (struct map*)malloc((count + 1) * sizeof *in);
    struct map* out = (struct map*)malloc((count + 1) * sizeof *out);
    double* x = (double*)malloc((all + 1) * sizeof *x);
    for (size_t i = 0; i != count; ++i) { in[i] = map_at(first + i); }
    for (size_t i = 0; i != all; ++i) { x[i] = 1.0 / (double)(i + 1); }
    struct map untouched = {7, 7}, total = untouched, so_far = untouched;

    check(tutti_inclusive_scan_sequence(W, in, count, out, sizeof *in, op) == 0, "inclusive_scan_sequence");
    for (size_t i = 0; i != first + count; ++i) {
        struct map next = map_at(i);
        if (i != 0) { compose(NULL, &so_far, &next, 1); }
        so_far = next;
        check(i < first || is(out[i - first], so_far), "a prefix");
    }
    if (count != 0) { out[0] = untouched; }
    check(tutti_exclusive_scan_sequence(W, in, count, out, sizeof *in, op) == 0, "exclusive_scan_sequence");
    for (size_t i = 0; i != first + count; ++i) {
        struct map next = map_at(i);
        check(i < first || is(out[i - first], i == 0 ? untouched : so_far), "a prefix without the element");
        if (i != 0) { compose(NULL, &so_far, &next, 1); }
        so_far = next;
    }
    so_far = map_at(0);
    for (size_t i = 1; i < all; ++i) {
        struct map next = map_at(i);
        compose(NULL, &so_far, &next, 1);
        so_far = next;
    }
    check(tutti_reduce_sequence(W, in, count, &total, sizeof *in, op, size - 1) == 0 &&
              is(total, rank == size - 1 && all != 0 ? so_far : untouched),
          "reduce_sequence");
    int const code = tutti_all_reduce_sequence(W, in, count, &total, sizeof *in, op);
    check(all == 0 ? code == TUTTI_INVALID_ARGUMENT : code == 0 && is(total, so_far), "all_reduce_sequence");
    if (all != 0) { /* the same bits as those of one rank */
        double sum = 0, alone = 0;
        check(tutti_all_reduce_sequence(W, x + first, count, &sum, sizeof sum, plus) == 0 &&
                  tutti_all_reduce_sequence(MPI_COMM_SELF, x, all, &alone, sizeof alone, plus) == 0 &&
                  memcmp(&sum, &alone, sizeof sum) == 0,
              "bits of a sequence");
    }
    free(in);
    free(out);
    free(x);
}

static void algorithms(void) {
    enum { n = 1000 };
    static double in[n], out[n];
    tutti_operator const plus = tutti_operator_for(TUTTI_SUM, TUTTI_DOUBLE);
    tutti_operator const kept = {plus.combine, NULL, 0};
    tutti_request request = NULL;
    char const* text = NULL;
    char const* const names[] = {"ring", "recursive_doubling", "split", "binomial", "reproducible", "automatic", NULL};
    for (int i = 0; i != n; ++i) { in[i] = i; }
    for (char const* const* name = names; *name != NULL; ++name) {
        check(tutti_use_algorithm(W, "all_reduce", *name) == 0, *name);
        check(tutti_all_reduce(W, in, out, n, sizeof *in, plus) == 0 && out[n - 1] == (n - 1.0) * size, *name);
        check(tutti_plan_all_reduce(W, in, out, n, sizeof *in, plus, &request) == 0 &&
                  tutti_explain(request, &text) == 0,
              "explain");
        check(strstr(text, "all_reduce of 1000 elements of 8 bytes") != NULL, text);
        check(strcmp(*name, "ring") != 0 || strstr(text, "algorithm: ring") != NULL, text);
        check(tutti_start(request) == 0 && tutti_wait(request) == 0 && out[1] == size, "a plan by name");
        check(tutti_request_free(&request) == 0, "free");
    }
    check(tutti_use_algorithm(W, "all_reduce", "ring") == 0, "ring");
    check(tutti_all_reduce(W, in, out, n, sizeof *in, kept) == TUTTI_INVALID_ARGUMENT, "order");
    check(strstr(tutti_last_error(), "ring changes the order of operands") != NULL, "message");
    check(tutti_use_algorithm(W, "all_reduce", NULL) == 0, "automatic again");
    check(tutti_all_reduce(W, in, out, n, sizeof *in, kept) == 0, "and the operator that keeps order");
    check(tutti_use_algorithm(W, "all_reduce", "wrong") == TUTTI_INVALID_ARGUMENT &&
              strstr(tutti_last_error(), "recursive_doubling") != NULL,
          "no algorithm");
    check(tutti_use_algorithm(W, "all_redu", "ring") == TUTTI_INVALID_ARGUMENT &&
              strstr(tutti_last_error(), "inclusive_scan") != NULL,
          "no collective");
    if (size > 1) {
        check(tutti_use_algorithm(W, "all_reduce", rank == 0 ? "ring" : "split") == TUTTI_INVALID_ARGUMENT, "differ");
    }
    check(tutti_all_reduce(W, in, out, n, sizeof *in, kept) == 0, "as before");

    // only the root knows how long the parts are, so that none goes by way of another rank
    size_t* const counts = malloc((size_t)size * sizeof *counts);
    for (int r = 0; r != size; ++r) { counts[r] = (size_t)r + 1; }
    check(tutti_use_algorithm(W, "gather", "binomial") == 0, "binomial");
    check(tutti_gatherv(W, in, (size_t)rank + 1, out, rank == 0 ? counts : NULL, sizeof *in, 0) == 0, "parts");
    check(rank != 0 || out[size * (size + 1) / 2 - 1] == size - 1, "the last part");
    check(tutti_use_algorithm(W, "gather", NULL) == 0, "automatic again");
    free(counts);
    check(tutti_explain(NULL, &text) == 0 && *text == '\0', "no request");
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(W, &rank);
    MPI_Comm_size(W, &size);
    numbers();
    members();
    sequence(0);
    sequence(1);
    sequence(5);
    sequence(10000);
    algorithms();
    MPI_Finalize();
    return failures;
}
