/* Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
 *
 * host LIBRARY: loads a library that uses tutti, or tutti's own for C, calls it, unloads it, and goes on with MPI:
 * frees a communicator that the library was given, loads and calls it again, finalises. */
#include <support/check.h>

#include <dlfcn.h>

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
    if (!check(library != NULL, "%s", path)) { return result; }
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
    char const* const library = argc == 2 ? argv[1] : "";
    MPI_Comm other;
    begin_mpi(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    check(sum_by(library, MPI_COMM_WORLD, 1) == size, "the first call");
    check(sum_by(library, other, 2) == 2 * size, "a call on a communicator that is freed afterwards");
    MPI_Comm_free(&other);
    check(sum_by(library, MPI_COMM_WORLD, 3) == 3 * size, "a call of what is loaded again");
    return end_mpi();
}
