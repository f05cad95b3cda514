/* Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0. */

/* With TUTTI=reproducible the bits of sums are those of the canonical tree over the ranks, whatever the function, the
   length of the vector and the root. */
#include <support/check.h>

enum { longest = 3000 };

static double operand(int of, int i) {
    double const all[] = {1e16, 1.0, -1e16, 3e-300, 0.1};
    return all[(of * 7 + i) % 5] * (1 + i % 11);
}

/* The sum over ranks first to last - 1: of the largest power of two below their number, and of the others. */
static double canonical(int first, int last, int i) {
    int left = 1;
    if (last - first == 1) { return operand(first, i); }
    while (2 * left < last - first) { left *= 2; }
    return canonical(first, first + left, i) + canonical(first + left, last, i);
}

static void check_sums(char const* what, int n, double const* found, int first, int ranks) {
    for (int i = 0; i != n; ++i) {
        double const expected = canonical(0, ranks, first + i);
        if (!check(memcmp(&found[i], &expected, sizeof expected) == 0, "%s: element %d of %d is %a, not %a", what, i, n,
                   found[i], expected)) {
            return;
        }
    }
}

int main(int argc, char** argv) {
    int const lengths[] = {1, 5, 100, longest};
    static double in[longest * 8], out[longest * 8];
    begin_mpi(&argc, &argv);
    for (int k = 0; k != 4; ++k) {
        int const n = lengths[k];
        for (int i = 0; i != n * size; ++i) { in[i] = operand(rank, i); }
        MPI_Allreduce(in, out, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        check_sums("MPI_Allreduce", n, out, 0, size);
        for (int root = 0; root != size; ++root) {
            MPI_Reduce(in, out, n, MPI_DOUBLE, MPI_SUM, root, MPI_COMM_WORLD);
            if (rank == root) { check_sums("MPI_Reduce", n, out, 0, size); }
        }
        MPI_Scan(in, out, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        check_sums("MPI_Scan", n, out, 0, rank + 1);
        MPI_Exscan(in, out, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        if (rank != 0) { check_sums("MPI_Exscan", n, out, 0, rank); }
        MPI_Reduce_scatter_block(in, out, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        check_sums("MPI_Reduce_scatter_block", n, out, n * rank, size);
    }
    return end_mpi();
}
