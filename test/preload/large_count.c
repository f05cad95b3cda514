/* Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
 *
 * MPI's collectives with large counts under the accelerator (LD_PRELOAD, TUTTI=all!,cut,report) against those of
 * the profiling interface; where the MPI has them. */
#include <support/check.h>

#if MPI_VERSION >= 4

enum { most = 6000, n = 600 };
static int in[2 * most], out[13][2 * most], expected[13][2 * most];
static MPI_Count parts[16];
static MPI_Aint places[16];

static void compose(void* left, void* right, MPI_Count* count, MPI_Datatype* type) {
    int maps = (int)*count;
    compose_maps(left, right, &maps, type);
}

/* The thirteen: by MPI itself, or as they come. */
#define CALL(i, Name, name, ...)                                                                                       \
    by_mpi ? PMPI_##Name##_c(__VA_ARGS__, MPI_COMM_WORLD) : MPI_##Name##_c(__VA_ARGS__, MPI_COMM_WORLD);
static void calls(MPI_Datatype h, MPI_Op op, int to[][2 * most], int by_mpi) {
    int const root = size - 1;
    memset(to, 0x55, sizeof out);
    memcpy(to[6], in, sizeof in);
    EVERY_COLLECTIVE(CALL)
}

static void test(void) {
    MPI_Aint at = 1;
    for (int r = 0; r != size; ++r) {
        parts[r] = n / size - r;
        places[r] = at;
        at += parts[r] + 1;
    }
    for (int i = 0; i != 2 * most; ++i) { in[i] = 1 + (i * 7 + rank * 31) % 250; }
    MPI_Datatype h = row_of(2, MPI_INT);
    MPI_Op op;
    MPI_Op_create_c(compose, 0, &op);
    calls(h, op, expected, 1);
    calls(h, op, out, 0);
    for (int i = 0; i != 13; ++i) { check(memcmp(out[i], expected[i], sizeof out[i]) == 0, "collective %d", i); }
    MPI_Op_free(&op);
    MPI_Type_free(&h);
}

#else

static void test(void) {}

#endif

int main(int argc, char** argv) {
    begin_mpi(&argc, &argv);
    test();
    return end_mpi();
}
