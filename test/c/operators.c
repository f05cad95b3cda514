/* Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
 *
 * Operators of tutti's own, structs with an operator for each member, sequences, and algorithms by name. */
#include <support/check.h>

#include <stddef.h>

#include <tutti/tutti.h>

#define W MPI_COMM_WORLD

/* One element. */
#define CALL(function, type, in, out, holds)                                                                           \
    check(tutti_all_reduce(W, in, out, 1, sizeof *(out), tutti_operator_for(TUTTI_##function, TUTTI_##type)) == 0 &&   \
              (holds), #function " of " #type)
static void numbers(void) {
    int32_t const whole = rank + 1;
    double const number = rank + 0.5;
    float const complex[2] = {1, (float)rank};
    uint8_t const bits = (uint8_t)(1 << rank % 8);
    int32_t sum = 0;
    double product = 0, least = 0;
    float both[1][2];
    uint8_t set = 0;
    CALL(SUM, INT32, &whole, &sum, sum == sum_below(size + 1));
    CALL(MINIMUM, DOUBLE, &number, &least, least == 0.5);
    CALL(PRODUCT, DOUBLE, &number, &product, product >= 0.5);
    CALL(SUM, COMPLEX_FLOAT, complex, both, both[0][0] == (float)size && both[0][1] == (float)sum_below(size));
    CALL(BIT_OR, UINT8, &bits, &set, set == (size >= 8 ? 255 : (1 << size) - 1));
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
        check(there[i].mass == size * (i + 1) && there[i].worst == 10 * (size - 1) + i, "whole members");
        check(there[i].least[2] == (float)(3 - size), "members that are arrays");
    }
    check(tutti_each(NULL).combine == NULL, "no members");
}

struct map {
    int a, b;
};
static void compose(void* state, void const* in, void* inout, size_t n) {
    struct map const* left = (struct map const*)in;
    struct map* right = (struct map*)inout;
    (void)state;
    for (size_t i = 0; i != n; ++i) { compose_map(left[i].a, left[i].b, &right[i].a, &right[i].b); }
}
static struct map map_at(size_t i) {
    struct map const result = {(int)(2 + i % 100), (int)(3 * i % 250)};
    return result;
}
static int is(struct map a, struct map b) { return a.a == b.a && a.b == b.b; }

/* Rank r holds elements first .. first + count - 1; some ranks have none. */
static void sequence(size_t all) {
    tutti_operator const op = {compose, NULL, 0};
    tutti_operator const plus = tutti_operator_for(TUTTI_SUM, TUTTI_DOUBLE);
    struct map const untouched = {7, 7}, identity = {1, 0};
    struct map total = untouched;
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
    struct map* so_far = (struct map*)malloc((all + 1) * sizeof *so_far); /* of the first i elements */
    so_far[0] = identity;
    for (size_t i = 0; i != all; ++i) {
        so_far[i + 1] = map_at(i);
        compose(NULL, &so_far[i], &so_far[i + 1], 1);
    }

    check(tutti_inclusive_scan_sequence(W, in, count, out, sizeof *in, op) == 0, "inclusive_scan_sequence");
    for (size_t i = 0; i != count; ++i) { check(is(out[i], so_far[first + i + 1]), "prefix %zu", first + i); }
    if (count != 0) { out[0] = untouched; }
    check(tutti_exclusive_scan_sequence(W, in, count, out, sizeof *in, op) == 0, "exclusive_scan_sequence");
    for (size_t i = 0; i != count; ++i) {
        check(is(out[i], first + i == 0 ? untouched : so_far[first + i]), "prefix %zu without the element", first + i);
    }
    check(tutti_reduce_sequence(W, in, count, &total, sizeof *in, op, size - 1) == 0, "reduce_sequence");
    check(is(total, rank == size - 1 && all != 0 ? so_far[all] : untouched), "the result of reduce_sequence");
    int const code = tutti_all_reduce_sequence(W, in, count, &total, sizeof *in, op);
    check(all == 0 ? code == TUTTI_INVALID_ARGUMENT : code == 0 && is(total, so_far[all]), "all_reduce_sequence");
    if (all != 0) { /* the same bits as those of one rank */
        double sum = 0, alone = 0;
        check(tutti_all_reduce_sequence(W, x + first, count, &sum, sizeof sum, plus) == 0, "a sequence");
        check(tutti_all_reduce_sequence(MPI_COMM_SELF, x, all, &alone, sizeof alone, plus) == 0, "on one rank");
        check(memcmp(&sum, &alone, sizeof sum) == 0, "bits of a sequence");
    }
    free(in), free(out), free(x), free(so_far);
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
        check(tutti_use_algorithm(W, "all_reduce", *name) == 0, "use %s", *name);
        check(tutti_all_reduce(W, in, out, n, sizeof *in, plus) == 0 && out[n - 1] == (n - 1.0) * size, "by %s", *name);
        check(tutti_plan_all_reduce(W, in, out, n, sizeof *in, plus, &request) == 0, "plan by %s", *name);
        check(tutti_explain(request, &text) == 0, "explain %s", *name);
        check(strstr(text, "all_reduce of 1000 elements of 8 bytes") != NULL, "%s", text);
        check(strcmp(*name, "ring") != 0 || strstr(text, "algorithm: ring") != NULL, "%s", text);
        check(tutti_start(request) == 0 && tutti_wait(request) == 0 && out[1] == size, "a plan by name");
        check(tutti_request_free(&request) == 0, "free");
    }
    check(tutti_use_algorithm(W, "all_reduce", "ring") == 0, "ring");
    check(tutti_all_reduce(W, in, out, n, sizeof *in, kept) == TUTTI_INVALID_ARGUMENT, "order");
    check(strstr(tutti_last_error(), "ring changes the order of operands") != NULL, "message");
    check(tutti_use_algorithm(W, "all_reduce", NULL) == 0, "automatic again");
    check(tutti_all_reduce(W, in, out, n, sizeof *in, kept) == 0, "and the operator that keeps order");
    check(tutti_use_algorithm(W, "all_reduce", "wrong") == TUTTI_INVALID_ARGUMENT, "no algorithm");
    check(strstr(tutti_last_error(), "recursive_doubling") != NULL, "there are others");
    check(tutti_use_algorithm(W, "all_redu", "ring") == TUTTI_INVALID_ARGUMENT, "no collective");
    check(strstr(tutti_last_error(), "inclusive_scan") != NULL, "there are others");
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
    reason_of_failure = tutti_last_error;
    begin_mpi(&argc, &argv);
    numbers();
    members();
    sequence(0);
    sequence(1);
    sequence(5);
    sequence(10000);
    algorithms();
    return end_mpi();
}
