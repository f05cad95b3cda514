/* Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0. */

/* A program of the MPI in another_mpi.c: its calls reach that MPI, and their arguments arrive whole, those that are wider
 * than the handles of the accelerator's MPI and those on the stack, too. */
#include <stdint.h>
#include <stdio.h>

typedef uintptr_t word;
int MPI_Init(int*, char***);
int MPI_Allreduce(word, word, word, word, word, word);
int MPI_Igatherv(word, word, word, word, word, word, word, word, word, word);
int MPI_Finalize(void);
word const* another_mpi_saw(void);

static word argument(int i) { return (word)0xfedcba9876543210u + (word)i; }
static int differ(int n) {
    int count = 0;
    for (int i = 0; i != n; ++i) { count += another_mpi_saw()[i] != argument(i); }
    return count;
}
#define A(i) argument(i)

int main(int argc, char** argv) {
    int failed = MPI_Init(&argc, &argv) != 1;
    failed += MPI_Allreduce(A(0), A(1), A(2), A(3), A(4), A(5)) != 17;
    failed += differ(6);
    failed += MPI_Igatherv(A(0), A(1), A(2), A(3), A(4), A(5), A(6), A(7), A(8), A(9)) != 18;
    failed += differ(10);
    MPI_Finalize();
    printf("%d checks failed\n", failed);
    return failed != 0;
}
