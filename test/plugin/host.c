/* Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
 *
 * host LIBRARY: loads a library that uses tutti, or tutti's own for C, calls it, unloads it, and goes on with MPI: frees a
 * communicator that the library was given, loads and calls it again, finalises. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <tutti/tutti.h>

typedef double sum_of_ranks(MPI_Comm comm, double x);
typedef int all_reduce(MPI_Comm comm, void const* in, void* out, size_t count, size_t extent, tutti_operator op);

static void add(void* state, void const* in, void* inout, size_t n) {
    double const* left = (double const*)in;
    double* sum = (double*)inout;
    (void)state;
    for (size_t i = 0; i != n; ++i) { sum[i] += left[i]; }
}

static double sum_by(char const* path, MPI_Comm comm, double x) {
    void* const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    double result = 0;
    if (library == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        return result;
    }
    sum_of_ranks* plugin = NULL;
    all_reduce* for_c = NULL;
    *(void**)&plugin = dlsym(library, "sum_of_ranks");
    *(void**)&for_c = dlsym(library, "tutti_all_reduce");
    if (plugin != NULL) {
        result = plugin(comm, x);
    } else if (for_c != NULL) {
        tutti_operator const op = {add, NULL, 1};
        for_c(comm, &x, &result, 1, sizeof x, op);
    }
    dlclose(library);
    return result;
}

int main(int argc, char** argv) {
    int size = 0;
    MPI_Comm other;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    int right = argc == 2 && sum_by(argv[1], MPI_COMM_WORLD, 1) == size;
    right = right && sum_by(argv[1], other, 2) == 2 * size;
    MPI_Comm_free(&other);
    right = right && sum_by(argv[1], MPI_COMM_WORLD, 3) == 3 * size;
    MPI_Finalize();
    return right ? 0 : 1;
}
