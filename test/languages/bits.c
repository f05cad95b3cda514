/* Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
 *
 * The bits of a sum, an exact sum, a dot product and a sum in order, and joined texts: the same programs are here in
 * C++, Fortran and Python, and print the same. */
#include <support/check.h>

#include <math.h>

#include <tutti/tutti.h>

enum { n = 5000 };

static double at(int i) { return ldexp(i * 7919 % 10007 - 5000, i % 80 - 40) + 1e20 * (i % 5 - 2); }

static void join(void* state, void const* a, size_t na, void const* b, size_t nb, tutti_grow* grow, void* result) {
    char* const out = (char*)grow(result, na + nb);
    (void)state;
    if (na != 0) { memcpy(out, a, na); }
    if (nb != 0) { memcpy(out + na, b, nb); }
}

static void show(double x) {
    unsigned long long bits;
    memcpy(&bits, &x, sizeof bits);
    printf("%016llX ", bits);
}

int main(int argc, char** argv) {
    static double mine[n], part[n], factor[n];
    double sum, exact, dot, sequence;
    char text[6];
    size_t count = 0, in_order = 0, characters = 0;
    begin_mpi(&argc, &argv);
    for (int i = n - 1; i >= 0; --i) { /* backwards, and dealt out in turn */
        if (i % size == rank) {
            factor[count] = i % 7 - 3 + 0.1;
            mine[count++] = at(i);
        }
    }
    for (int i = n * rank / size; i != n * (rank + 1) / size; ++i) { part[in_order++] = at(i); }
    for (int i = 6 * rank / size; i != 6 * (rank + 1) / size; ++i) { text[characters++] = "abcdef"[i]; }

    tutti_object_operator const joined = {join, NULL, 0};
    tutti_object all;
    tutti_sum_without_order(MPI_COMM_WORLD, mine, count, &sum);
    tutti_exact_sum_without_order(MPI_COMM_WORLD, mine, count, &exact);
    tutti_dot_without_order(MPI_COMM_WORLD, mine, factor, count, &dot);
    tutti_all_reduce_sequence(MPI_COMM_WORLD, part, in_order, &sequence, sizeof sequence,
                              tutti_operator_for(TUTTI_SUM, TUTTI_DOUBLE));
    tutti_all_reduce_objects(MPI_COMM_WORLD, text, characters, joined, &all);
    if (rank == 0) {
        show(sum), show(exact), show(dot), show(sequence);
        printf("%.*s\n", (int)all.size, (char*)all.bytes);
    }
    tutti_object_free(&all);
    MPI_Finalize();
    return 0;
}
