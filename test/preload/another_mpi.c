/* Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0. */

/* Stands in for an MPI that the accelerator was not built for: handles are of its own making, and it notes what it is
 * called with. Under MPICH it passes for Open MPI, else for MPICH; with SAME_KIND for another version of the same. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#if defined(IS_MPICH) != defined(SAME_KIND)
char ompi_mpi_comm_self[512];
#endif

typedef uintptr_t word;
static word seen[16];

int PMPI_Init(int* argc, char*** argv) { return argc != NULL && argv != NULL; }
int MPI_Init(int* argc, char*** argv) { return PMPI_Init(argc, argv); }
int MPI_Allreduce(word a, word b, word c, word d, word e, word f) {
    word const all[] = {a, b, c, d, e, f};
    memcpy(seen, all, sizeof all);
    return 17;
}
int MPI_Igatherv(word a, word b, word c, word d, word e, word f, word g, word h, word i, word j) {
    word const all[] = {a, b, c, d, e, f, g, h, i, j};
    memcpy(seen, all, sizeof all);
    return 18;
}
int MPI_Finalize(void) {
    puts("another MPI ends");
    return 0;
}
word const* another_mpi_saw(void) { return seen; }
