/* Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0. */

/* A program that has most of the communicators that MPI can make (MPICH: 2048), uses each, and then makes and frees
   others: it can as it can without the accelerator. */
#include <support/check.h>

enum { held = 1200, loops = 300, most = 1 << 14 };

int main(int argc, char* argv[]) {
    static MPI_Comm all[held];
    static double in[most], out[most];
    begin_mpi(&argc, &argv);
    for (int i = 0; i != most; ++i) { in[i] = 1; }
    for (int k = 0; k != held + loops; ++k) {
        int const at = k < held ? k : held - 1;
        if (k >= held) { MPI_Comm_free(&all[at]); }
        MPI_Comm_dup(MPI_COMM_WORLD, &all[at]);
        for (int n = 1; n <= most; n *= 16) {
            out[n - 1] = 0;
            MPI_Allreduce(in, out, n, MPI_DOUBLE, MPI_SUM, all[at]);
            check(out[n - 1] == size, "the sum of %d elements on communicator %d", n, k);
        }
    }
    for (int k = 0; k != held; ++k) { MPI_Comm_free(&all[k]); }
    return end_mpi();
}
