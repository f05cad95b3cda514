/* Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
 *
 * MPI's collectives with results in all forms, with an operator that does not commute, for the tests of nonblocking and
 * persistent ones under the accelerator. */
#include <mpi.h>

#include <stdio.h>
#include <string.h>

enum { most = 6000, n = 600 };
static int rank, size, failures = 0;
static int in[2 * most], out[14][2 * most], expected[14][2 * most];
static int parts[16], places[16];

static void check(int holds, char const* what) {
    if (!holds) {
        ++failures;
        fprintf(stderr, "[rank %d of %d] %s\n", rank, size, what);
    }
}

/* Affine maps modulo 251. */
static void compose(void* left, void* inout, int* count, MPI_Datatype* type) {
    int const* a = (int const*)left;
    int* b = (int*)inout;
    (void)type;
    for (int i = 0; i != *count; ++i, a += 2, b += 2) {
        b[1] = (a[0] * b[1] + a[1]) % 251;
        b[0] = a[0] * b[0] % 251;
    }
}

enum form { blocking, nonblocking, persistent }; /* blocking: MPI's own */
#if MPI_VERSION >= 4
#define INIT(Name, ...) MPI_##Name##_init(__VA_ARGS__)
#else
#define INIT(Name, ...) MPI_ERR_OTHER
#endif
#define CALL(i, Name, name, ...)                                                                                        \
    (form == blocking      ? PMPI_##Name(__VA_ARGS__, comm)                                                             \
     : form == nonblocking ? MPI_I##name(__VA_ARGS__, comm, &all[i])                                                    \
                           : INIT(Name, __VA_ARGS__, comm, MPI_INFO_NULL, &all[i]))
/* The thirteen with results. */
static void calls(MPI_Comm comm, MPI_Datatype h, MPI_Op op, int to[][2 * most], enum form form, MPI_Request* all) {
    int const root = size - 1;
    CALL(0, Allreduce, allreduce, in, to[0], n, h, op);
    CALL(1, Reduce, reduce, in, to[1], n, h, op, root);
    CALL(2, Scan, scan, in, to[2], n, h, op);
    CALL(3, Exscan, exscan, in, to[3], n, h, op);
    CALL(4, Reduce_scatter, reduce_scatter, in, to[4], parts, h, op);
    CALL(5, Reduce_scatter_block, reduce_scatter_block, in, to[5], n / size, h, op);
    CALL(6, Bcast, bcast, to[6], n, h, root);
    CALL(7, Gather, gather, in, n, h, to[7], n, h, root);
    CALL(8, Gatherv, gatherv, in, parts[rank], h, to[8], parts, places, h, root);
    CALL(9, Scatter, scatter, in, n, h, to[9], n, h, root);
    CALL(10, Scatterv, scatterv, in, parts, places, h, to[10], parts[rank], h, root);
    CALL(11, Allgather, allgather, in, n, h, to[11], n, h);
    CALL(12, Allgatherv, allgatherv, in, parts[rank], h, to[12], parts, places, h);
}

static void divide(void) {
    int at = 1;
    for (int r = 0; r != size; ++r) {
        parts[r] = n / size - r;
        places[r] = at;
        at += parts[r] + 1;
    }
}
