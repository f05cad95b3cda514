/* Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0. */

/* moved [BEFORE [AFTER]]: a program that goes to folders before and after MPI_Init, which rank 0 makes. */
#include <support/check.h>

#include <sys/stat.h>

static void go_to(char const* folder) {
    mkdir(folder, 0777);
    check(chdir(folder) == 0, "no folder %s", folder);
}

int main(int argc, char** argv) {
    if (argc > 1) { go_to(argv[1]); }
    begin_mpi(&argc, &argv);
    check_maxima(2000);
    if (argc > 2) { go_to(argv[2]); }
    return end_mpi();
}
