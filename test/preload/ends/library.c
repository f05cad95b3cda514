/* Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0. */

/* A library that calls the program, or MPI, when the process ends: it is linked, or opened by the program. */
#include <mpi.h>
#include <stddef.h>

static void (*last)(char const*);
static char const* name;

void at_the_end_of_the_library(void (*call)(char const*), char const* of) {
    last = call;
    name = of;
}

__attribute__((destructor)) static void end(void) {
    int is_over = 0;
    MPI_Finalized(&is_over);
    if (last != NULL && !is_over) { last(name); }
}
