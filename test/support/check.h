/* Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
 *
 * What the test programs in C share, in C11 or C++ of gcc and clang. It is included before all else, since it asks the
 * system for every function that it has.
 *
 * A program calls begin_mpi, which sets `rank` and `size`, and returns what end_mpi returns. In between,
 *     check(sum == size, "MPI_Allreduce of %d elements", n);
 * counts what does not hold and writes it to standard error, with its place: "FILE:LINE: failed on rank R of N: ...".
 * In the end each rank on which checks have failed writes "N checks failed on rank R"; if there is none, rank 0 writes
 * "0 checks failed". What `reason_of_failure` returns is written with each failure, where a program sets it.
 *
 * Besides: the composition of affine maps, an operation that does not commute; numbers that look random and are the
 * same everywhere; calls of MPI's collectives whose results are known, check_call; and a list of all that move data. */
#ifndef TUTTI_TEST_SUPPORT_CHECK_H
#define TUTTI_TEST_SUPPORT_CHECK_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <mpi.h>

#if defined MPICH && defined __GNUC__ && !defined __clang__ /* which takes MPI_STATUSES_IGNORE for memory */
#pragma GCC diagnostic ignored "-Wstringop-overflow"
#endif

static int rank, size; /* in MPI_COMM_WORLD */
static int failures;
static long checks;
static char const* (*reason_of_failure)(void);

/* ---- a program --------------------------------------------------------------------------------------------------- */

#define check(...) check_at(__FILE__, __LINE__, __VA_ARGS__)
/* Returns whether it holds. Threads may call it. */
__attribute__((format(printf, 4, 5))) static inline int check_at(char const* file, int line, int holds,
                                                                 char const* what, ...) {
    char text[1000];
    va_list values;
    __atomic_fetch_add(&checks, 1, __ATOMIC_RELAXED);
    if (holds || __atomic_fetch_add(&failures, 1, __ATOMIC_RELAXED) >= 20) { return holds; }
    va_start(values, what);
    vsnprintf(text, sizeof text, what, values);
    va_end(values);
    char const* const reason = reason_of_failure != NULL ? reason_of_failure() : "";
    fprintf(stderr, "%s:%d: failed on rank %d of %d: %s%s%s\n", file, line, rank, size, text, *reason ? "; " : "",
            reason);
    return 0;
}

/* Returns the level of threads that is provided. */
static inline int begin_mpi_with_threads(int level, int* argc, char*** argv) {
    MPI_Init_thread(argc, argv, level, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    return level;
}
static inline void begin_mpi(int* argc, char*** argv) {
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
}

/* Returns what main returns, the same on all ranks. What it calls of MPI nothing between the program and MPI sees. */
static inline int end_mpi(void) {
    int all = 0;
    PMPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (failures != 0) { fprintf(stderr, "%d checks failed on rank %d\n", failures, rank); }
    if (all == 0 && rank == 0) { printf("0 checks failed, %ld hold on this rank\n", checks); }
    MPI_Finalize();
    return all != 0;
}

static inline int rank_in(MPI_Comm comm) {
    int result = 0;
    MPI_Comm_rank(comm, &result);
    return result;
}
static inline int size_of(MPI_Comm comm) {
    int result = 0;
    MPI_Comm_size(comm, &result);
    return result;
}

/* The number that `format` finds in a line of a file of /proc; all its bits are set if there is none. */
static inline unsigned long long number_in(char const* file, char const* format) {
    char line[300];
    unsigned long long found = ~0ULL;
    FILE* const from = fopen(file, "r");
    while (from != NULL && fgets(line, sizeof line, from) != NULL && sscanf(line, format, &found) != 1) {}
    if (from != NULL) { fclose(from); }
    return found;
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

/* 0 + 1 + ... + n - 1: the sum of all ranks of n. */
static inline int sum_below(int n) { return n * (n - 1) / 2; }

/* A number below n, which follows from those drawn before with the same state. */
static inline int draw(unsigned* state, int n) {
    *state = *state * 1103515245U + 12345U;
    return (int)(*state >> 16) % n;
}

/* right = left, then right, of maps x -> x a + b modulo 251. */
static inline void compose_map(int left_a, int left_b, int* right_a, int* right_b) {
    *right_b = (left_a * *right_b + left_b) % 251;
    *right_a = left_a * *right_a % 251;
}
/* The same of n maps, as an operator of the user's: two ints each. */
static inline void compose_maps(void* left, void* right, int* n, MPI_Datatype* type) {
    int const* a = (int const*)left;
    int* b = (int*)right;
    (void)type;
    for (int i = 0; i != *n; ++i, a += 2, b += 2) { compose_map(a[0], a[1], b, b + 1); }
}

static inline MPI_Datatype committed(MPI_Datatype type) {
    MPI_Type_commit(&type);
    return type;
}
static inline MPI_Datatype row_of(int n, MPI_Datatype type) {
    MPI_Datatype row;
    MPI_Type_contiguous(n, type, &row);
    return committed(row);
}

/* ---- calls whose results are known ------------------------------------------------------------------------------- */

/* In an order that the three functions behind rely on. */
#define COLLECTIVES(FORM)                                                                                              \
    FORM(Allreduce) FORM(Scan) FORM(Exscan) FORM(Reduce) FORM(Bcast) FORM(Gather) FORM(Gatherv) FORM(Allgather)        \
    FORM(Allgatherv) FORM(Reduce_scatter_block) FORM(Reduce_scatter) FORM(Scatter) FORM(Scatterv)
#define AS_IT_IS(name) name,
#define AS_TEXT(name) "MPI_" #name,
enum collective { COLLECTIVES(AS_IT_IS) collectives };
static char const* const names_of_collectives[] = {COLLECTIVES(AS_TEXT)};

static inline int gets_all_parts(enum collective which) { return which >= Gather && which <= Allgatherv; }
static inline int gives_all_parts(enum collective which) { return which >= Reduce_scatter_block; }
static inline int is_rooted(enum collective which) {
    return (which >= Reduce && which <= Gatherv) || which >= Scatter;
}

struct call {
    enum collective which;
    int n, root, number; /* what it is on follows from its number */
    MPI_Comm comm;
    MPI_Datatype type; /* MPI_INT or MPI_DOUBLE */
    MPI_Op op;         /* MPI_SUM, MPI_MAX or MPI_MIN, where there is an operation */
    void *in, *out;    /* room for n elements of each rank; MPI_Bcast has only `out` */
};

static inline int perform(struct call const* c) {
    enum { most_ranks = 64 };
    int counts[most_ranks], places[most_ranks];
    int const n = c->n, root = c->root;
    void const* const in = c->in;
    void* const out = c->out;
    MPI_Datatype const t = c->type;
    for (int r = size_of(c->comm); r-- != 0;) { counts[r] = n, places[r] = n * r; }
    switch (c->which) {
    case Allreduce: return MPI_Allreduce(in, out, n, t, c->op, c->comm);
    case Scan: return MPI_Scan(in, out, n, t, c->op, c->comm);
    case Exscan: return MPI_Exscan(in, out, n, t, c->op, c->comm);
    case Reduce: return MPI_Reduce(in, out, n, t, c->op, root, c->comm);
    case Bcast: return MPI_Bcast(out, n, t, root, c->comm);
    case Gather: return MPI_Gather(in, n, t, out, n, t, root, c->comm);
    case Gatherv: return MPI_Gatherv(in, n, t, out, counts, places, t, root, c->comm);
    case Allgather: return MPI_Allgather(in, n, t, out, n, t, c->comm);
    case Allgatherv: return MPI_Allgatherv(in, n, t, out, counts, places, t, c->comm);
    case Reduce_scatter_block: return MPI_Reduce_scatter_block(in, out, n, t, c->op, c->comm);
    case Reduce_scatter: return MPI_Reduce_scatter(in, out, counts, t, c->op, c->comm);
    case Scatter: return MPI_Scatter(in, n, t, out, n, t, root, c->comm);
    case Scatterv: return MPI_Scatterv(in, counts, places, t, out, n, t, root, c->comm);
    default: return MPI_ERR_OTHER;
    }
}

/* How many elements rank `own` of `all` gives, and gets. */
static inline int elements_given(struct call const* c, int all) {
    return gives_all_parts(c->which) ? c->n * all : c->n;
}
static inline int elements_got(struct call const* c, int own, int all) {
    if (c->which == Exscan && own == 0) { return 0; }
    if ((c->which == Reduce || c->which == Gather || c->which == Gatherv) && own != c->root) { return 0; }
    return gets_all_parts(c->which) ? c->n * all : c->n;
}
/* Element i of what a rank gives, of what the first `ranks` give if it is combined, and of what a rank gets. */
static inline int element_given(struct call const* c, int own, int i) { return own * 7 + i % 97 + c->number % 1000; }
static inline int combined(struct call const* c, int ranks, int i) {
    if (c->op == MPI_MAX) { return element_given(c, ranks - 1, i); }
    return c->op == MPI_MIN ? element_given(c, 0, i) : 7 * sum_below(ranks) + ranks * element_given(c, 0, i);
}
static inline int element_due(struct call const* c, int own, int all, int i) {
    int const n = c->n;
    switch (c->which) {
    case Allreduce:
    case Reduce: return combined(c, all, i);
    case Scan: return combined(c, own + 1, i);
    case Exscan: return combined(c, own, i);
    case Bcast: return element_given(c, c->root, i);
    case Reduce_scatter_block:
    case Reduce_scatter: return combined(c, all, own * n + i);
    case Scatter:
    case Scatterv: return element_given(c, c->root, own * n + i);
    default: return element_given(c, i / n, i % n);
    }
}

/* An element of type MPI_INT or MPI_DOUBLE. */
static inline void put(MPI_Datatype type, void* memory, int i, int value) {
    if (type == MPI_DOUBLE) {
        ((double*)memory)[i] = value;
    } else {
        ((int*)memory)[i] = value;
    }
}
static inline int is_at(MPI_Datatype type, void const* memory, int i, int value) {
    return type == MPI_DOUBLE ? ((double const*)memory)[i] == value : ((int const*)memory)[i] == value;
}

#define check_result(...) check_result_at(__FILE__, __LINE__, __VA_ARGS__)
#define check_call(call) check_call_at(__FILE__, __LINE__, call)
#define check_call_in_place(call) check_call_in_place_at(__FILE__, __LINE__, call)
#define check_maxima(calls) check_maxima_at(__FILE__, __LINE__, calls)

/* Writes what the call is on, and -1 where its result will be. */
static inline void fill_call(struct call const* c) {
    int const own = rank_in(c->comm), all = size_of(c->comm), has_it = c->which == Bcast && own == c->root;
    int const gives = elements_given(c, all), gets = elements_got(c, own, all);
    for (int i = 0; i != gives; ++i) { put(c->type, c->in, i, element_given(c, own, i)); }
    for (int i = 0; i != gets; ++i) { put(c->type, c->out, i, has_it ? element_given(c, own, i) : -1); }
}
static inline void check_result_at(char const* file, int line, struct call const* c, char const* how) {
    int const own = rank_in(c->comm), all = size_of(c->comm);
    int wrong = 0, first = -1;
    for (int i = elements_got(c, own, all); i-- != 0;) {
        if (!is_at(c->type, c->out, i, element_due(c, own, all, i))) { ++wrong, first = i; }
    }
    check_at(file, line, wrong == 0, "%s%s, call %d of %d elements: %d are wrong, the first is number %d",
             names_of_collectives[c->which], how, c->number, c->n, wrong, first);
}
static inline void check_call_at(char const* file, int line, struct call const* c) {
    fill_call(c);
    check_at(file, line, perform(c) == MPI_SUCCESS, "%s, call %d returns an error", names_of_collectives[c->which],
             c->number);
    check_result_at(file, line, c, "");
}

/* The same where the result takes the place of what is given: of a rooted call on the root, of MPI_Bcast nowhere. */
static inline void check_call_in_place_at(char const* file, int line, struct call const* c) {
    struct call here = *c;
    int const own = rank_in(c->comm), given_here = elements_given(c, size_of(c->comm));
    fill_call(c);
    if (c->which >= Scatter && own == c->root) {
        here.out = MPI_IN_PLACE;
    } else if (c->which != Bcast && (!is_rooted(c->which) || own == c->root)) {
        int const at = gets_all_parts(c->which) ? own * c->n : 0;
        for (int i = 0; i != given_here; ++i) { put(c->type, c->out, at + i, element_given(c, own, i)); }
        here.in = MPI_IN_PLACE;
    }
    check_at(file, line, perform(&here) == MPI_SUCCESS, "%s in place returns an error", names_of_collectives[c->which]);
    if (here.out == c->out) {
        check_result_at(file, line, c, " in place");
    } else {
        int kept = 0;
        for (int i = 0; i != given_here; ++i) { kept += is_at(c->type, c->in, i, element_given(c, own, i)); }
        check_at(file, line, kept == given_here, "%s in place changes what is given", names_of_collectives[c->which]);
    }
}

/* The greatest rank, by as many calls of MPI_Allreduce. */
static inline void check_maxima_at(char const* file, int line, int calls) {
    for (int i = 0; i != calls; ++i) {
        int out[300], in[300] = {rank};
        MPI_Allreduce(in, out, 300, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        check_at(file, line, out[0] == size - 1, "the greatest rank, call %d", i);
    }
}

/* ---- every collective with data ---------------------------------------------------------------------------------- */

/* CALL(NUMBER, NAME, NAME IN SMALL LETTERS, ARGUMENTS BEFORE THE COMMUNICATOR): on `n` elements of type `h` with the
 * operator `op`, from `in` to rows of `to`, by the root `root`; parts have lengths `parts` and begin at `places`. */
#define EVERY_COLLECTIVE(CALL)                                                                                         \
    CALL(0, Allreduce, allreduce, in, to[0], n, h, op)                                                                 \
    CALL(1, Reduce, reduce, in, to[1], n, h, op, root)                                                                 \
    CALL(2, Scan, scan, in, to[2], n, h, op)                                                                           \
    CALL(3, Exscan, exscan, in, to[3], n, h, op)                                                                       \
    CALL(4, Reduce_scatter, reduce_scatter, in, to[4], parts, h, op)                                                   \
    CALL(5, Reduce_scatter_block, reduce_scatter_block, in, to[5], n / size, h, op)                                    \
    CALL(6, Bcast, bcast, to[6], n, h, root)                                                                           \
    CALL(7, Gather, gather, in, n, h, to[7], n, h, root)                                                               \
    CALL(8, Gatherv, gatherv, in, parts[rank], h, to[8], parts, places, h, root)                                       \
    CALL(9, Scatter, scatter, in, n, h, to[9], n, h, root)                                                             \
    CALL(10, Scatterv, scatterv, in, parts, places, h, to[10], parts[rank], h, root)                                   \
    CALL(11, Allgather, allgather, in, n, h, to[11], n, h)                                                             \
    CALL(12, Allgatherv, allgatherv, in, parts[rank], h, to[12], parts, places, h)

#endif
