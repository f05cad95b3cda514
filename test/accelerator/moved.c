/* Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0. */

/* moved [BEFORE [AFTER]]: a program that goes to folders before and after MPI_Init, which rank 0 makes. */
#include <mpi.h>
#include <stdio.h>

extern int chdir(char const*);
extern int mkdir(char const*, unsigned);

static int go_to(char const* folder) {
    mkdir(folder, 0777);
    return chdir(folder);
}

int main(int argc, char** argv) {
    int rank = 0, size = 0, failed = argc > 1 ? go_to(argv[1]) != 0 : 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i != 2000; ++i) {
        int out[300], in[300] = {rank};
        MPI_Allreduce(in, out, 300, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        failed += out[0] != size - 1;
    }
    if (argc > 2) failed += go_to(argv[2]) != 0;
    MPI_Finalize();
    return failed != 0;
}
