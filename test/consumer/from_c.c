/* Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0. */
#include <tutti/tutti.h>

static void add(void* state, void const* in, void* inout, size_t n) {
    int const* left = (int const*)in;
    int* sum = (int*)inout;
    (void)state;
    for (size_t i = 0; i != n; ++i) { sum[i] += left[i]; }
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    tutti_operator const op = {add, NULL, 1};
    int size = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int one = 1;
    int sum = 0;
    int const code = tutti_all_reduce(MPI_COMM_WORLD, &one, &sum, 1, sizeof(int), op);
    MPI_Finalize();
    return code == TUTTI_SUCCESS && sum == size ? 0 : 1;
}
