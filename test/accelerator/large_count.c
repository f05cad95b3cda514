/* Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
 *
 * MPI's collectives with large counts under the accelerator (LD_PRELOAD, TUTTI=all,cut,report) against those of
 * the profiling interface; where the MPI has them. */
#include <mpi.h>

#include <stdio.h>
#include <string.h>

enum { most = 6000, n = 600 };
static int rank, size, failures = 0;

#if MPI_VERSION >= 4

static int in[2 * most], out[13][2 * most], expected[13][2 * most];
static MPI_Count parts[16];
static MPI_Aint places[16];

/* Affine maps modulo 251. */
static void compose(void* left, void* inout, MPI_Count* count, MPI_Datatype* type) {
    int const* a = (int const*)left;
    int* b = (int*)inout;
    (void)type;
    for (MPI_Count i = 0; i != *count; ++i, a += 2, b += 2) {
        b[1] = (a[0] * b[1] + a[1]) % 251;
        b[0] = a[0] * b[0] % 251;
    }
}

/* The thirteen: by MPI itself, or as they come. */
#define CALL(Name, ...) by_mpi ? PMPI_##Name##_c(__VA_ARGS__, comm) : MPI_##Name##_c(__VA_ARGS__, comm);
static void calls(MPI_Comm comm, MPI_Datatype h, MPI_Op op, int to[][2 * most], int by_mpi) {
    int const root = size - 1;
    CALL(Allreduce, in, to[0], n, h, op)
    CALL(Reduce, in, to[1], n, h, op, root)
    CALL(Scan, in, to[2], n, h, op)
    CALL(Exscan, in, to[3], n, h, op)
    CALL(Reduce_scatter, in, to[4], parts, h, op)
    CALL(Reduce_scatter_block, in, to[5], n / size, h, op)
    CALL(Bcast, to[6], n, h, root)
    CALL(Gather, in, n, h, to[7], n, h, root)
    CALL(Gatherv, in, parts[rank], h, to[8], parts, places, h, root)
    CALL(Scatter, in, n, h, to[9], n, h, root)
    CALL(Scatterv, in, parts, places, h, to[10], parts[rank], h, root)
    CALL(Allgather, in, n, h, to[11], n, h)
    CALL(Allgatherv, in, parts[rank], h, to[12], parts, places, h)
}

static void begin(int to[][2 * most]) {
    memset(to, 0x55, sizeof out);
    memcpy(to[6], in, sizeof in);
}

static void test(MPI_Comm comm) {
    MPI_Aint at = 1;
    for (int r = 0; r != size; ++r) {
        parts[r] = n / size - r;
        places[r] = at;
        at += parts[r] + 1;
    }
    for (int i = 0; i != 2 * most; ++i) { in[i] = 1 + (i * 7 + rank * 31) % 250; }
    MPI_Datatype h;
    MPI_Type_contiguous(2, MPI_INT, &h);
    MPI_Type_commit(&h);
    MPI_Op op;
    MPI_Op_create_c(compose, 0, &op);
    begin(expected);
    calls(comm, h, op, expected, 1);
    begin(out);
    calls(comm, h, op, out, 0);
    for (int i = 0; i != 13; ++i) {
        if (memcmp(out[i], expected[i], sizeof out[i]) == 0) { continue; }
        ++failures;
        fprintf(stderr, "[rank %d of %d] collective %d differs\n", rank, size, i);
    }
    MPI_Op_free(&op);
    MPI_Type_free(&h);
}

#else

static void test(MPI_Comm comm) { (void)comm; }

#endif

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    test(MPI_COMM_WORLD);
    int sum = 0;
    PMPI_Allreduce(&failures, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) { printf("large counts on %d ranks: %d results differ\n", size, sum); }
    MPI_Finalize();
    return sum != 0;
}
