/* Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0. */

/* With TUTTI=reproducible the bits of sums are those of the canonical tree over the ranks, whatever the function, the
   length of the vector and the root. */

#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { longest = 3000 };

static double operand(int rank, int i) {
    double const of[] = {1e16, 1.0, -1e16, 3e-300, 0.1};
    return of[(rank * 7 + i) % 5] * (1 + i % 11);
}

/* The sum over ranks first to last - 1: of the largest power of two below their number, and of the others. */
static double canonical(int first, int last, int i) {
    int left = 1;
    if (last - first == 1) { return operand(first, i); }
    while (2 * left < last - first) { left *= 2; }
    return canonical(first, first + left, i) + canonical(first + left, last, i);
}

static int wrong = 0;

static void check(char const* what, int n, double const* found, int first, int ranks) {
    int i;
    for (i = 0; i != n; ++i) {
        double const expected = canonical(0, ranks, first + i);
        if (memcmp(&found[i], &expected, sizeof expected) != 0) {
            ++wrong;
            printf("%s: element %d of %d is %a, not %a\n", what, i, n, found[i], expected);
            return;
        }
    }
}

int main(int argc, char** argv) {
    int const lengths[] = {1, 5, 100, longest};
    int rank, size, all = 0;
    unsigned k;
    static double in[longest * 8], out[longest * 8];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (k = 0; k != sizeof lengths / sizeof *lengths; ++k) {
        int const n = lengths[k];
        int i, root;
        for (i = 0; i != n * size; ++i) { in[i] = operand(rank, i); }
        MPI_Allreduce(in, out, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        check("MPI_Allreduce", n, out, 0, size);
        for (root = 0; root != size; ++root) {
            MPI_Reduce(in, out, n, MPI_DOUBLE, MPI_SUM, root, MPI_COMM_WORLD);
            if (rank == root) { check("MPI_Reduce", n, out, 0, size); }
        }
        MPI_Scan(in, out, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        check("MPI_Scan", n, out, 0, rank + 1);
        MPI_Exscan(in, out, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        if (rank != 0) { check("MPI_Exscan", n, out, 0, rank); }
        MPI_Reduce_scatter_block(in, out, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        check("MPI_Reduce_scatter_block", n, out, n * rank, size);
    }
    MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) { printf(all == 0 ? "all canonical\n" : "failed on %d ranks\n", size); }
    MPI_Finalize();
    return wrong != 0;
}
