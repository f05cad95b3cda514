/* Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0. */

/* A library of a program that has functions of its own under names that MPI's functions have in Fortran: every one of them
 * in small letters, with one and two underscores. Each returns what it was called with. */
#include <stdarg.h>
#include <stdint.h>

#define TUTTI_FUNCTION(C, name, NAME, does, roles)                                                                     \
    double mpi_##name(double x, intptr_t n) { return x + (double)n; }                                                  \
    int mpi_##name##_(char const* format, ...) {                                                                       \
        va_list list;                                                                                                  \
        double sum = 0;                                                                                                \
        va_start(list, format);                                                                                        \
        for (; *format != 0; ++format) { sum += *format == 'd' ? va_arg(list, double) : va_arg(list, int); }           \
        va_end(list);                                                                                                  \
        return (int)sum;                                                                                               \
    }                                                                                                                  \
    struct two mpi_##name##__(struct two a, int b, int c, int d, int e, int f, int g, int h, int i) {                  \
        struct two const result = {a.x + b + c + d + e, a.n + f + g + h + i};                                          \
        return result;                                                                                                 \
    }
struct two {
    double x;
    long n;
};
#include <pmpi/functions.def>
