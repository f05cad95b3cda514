/* Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0. */

/* Memory that MPI forbids: what a rank gives lies in what it gets. MPI libraries perform such calls, or most of them,
   and so does the accelerator, on all ranks alike, though one rank alone may know of it: results are those of a copy.
   Nor is a program ended that gives fewer elements of an allgather than it gets. */
#include <support/check.h>

enum { longest = 20000, most_ranks = 8, room = 3 * most_ranks * longest };
static int memory[room], expected[room];
static MPI_Comm comm;

/* What is given and the result lie in one memory, where elements of the result begin `shift` after those given. */
static void check_shifted(enum collective which, int n, int shift) {
    int* const in = memory + most_ranks * longest;
    struct call const one = {which, n, size - 1, 0, comm, MPI_INT, MPI_SUM, in, in + shift};
    int wrong = 0;
    for (int i = 0; i != room; ++i) { memory[i] = -7; }
    for (int i = 0; i != elements_given(&one, size); ++i) { in[i] = element_given(&one, rank, i); }
    memcpy(expected, memory, sizeof memory);
    int* const due = expected + (in + shift - memory);
    for (int i = 0; i != elements_got(&one, rank, size); ++i) { due[i] = element_due(&one, rank, size, i); }
    int const code = perform(&one);
    /* rank 0 of an exscan may find anything where it gets nothing, though not elsewhere */
    if (which == Exscan && rank == 0) { memcpy(due, in + shift, n * sizeof *due); }
    for (int i = 0; i != room; ++i) { wrong += memory[i] != expected[i]; }
    check(code == MPI_SUCCESS && wrong == 0, "%s of %d, shift %d: code %d, %d wrong", names_of_collectives[which], n,
          shift, code, wrong);
}

/* Rank `who`, or each, gives half of the elements that it is to get: they are the first of its part, whose others lie
   there. */
static void check_shorter(enum collective which, int n, int who) {
    int* const in = memory + most_ranks * longest;
    int const gives = who < 0 || who == rank ? n / 2 : n;
    struct call const one = {which, n, 0, 0, comm, MPI_INT, MPI_SUM, in, memory};
    int wrong = 0, counts[most_ranks], places[most_ranks];
    for (int r = 0; r != size; ++r) { counts[r] = n, places[r] = r * n; }
    for (int i = 0; i != size * n; ++i) { memory[i] = -rank - 1; }
    for (int i = 0; i != gives; ++i) { in[i] = element_given(&one, rank, i); }
    int const code = which == Allgather ? MPI_Allgather(in, gives, MPI_INT, memory, n, MPI_INT, comm)
                                        : MPI_Allgatherv(in, gives, MPI_INT, memory, counts, places, MPI_INT, comm);
    for (int i = 0; i != size * n; ++i) {
        int const r = i / n, there = who < 0 || who == r ? n / 2 : n;
        wrong += memory[i] != (i % n < there ? element_given(&one, r, i % n) : -r - 1);
    }
    check(code == MPI_SUCCESS && wrong == 0, "%s of %d from %d: code %d, %d wrong", names_of_collectives[which], n,
          gives, code, wrong);
}

/* What MPI refuses it refuses itself. Open MPI 4.1 does not look. */
static void check_refused(int n) {
#ifndef OPEN_MPI
    int due = MPI_SUCCESS, found = MPI_SUCCESS;
    MPI_Error_class(PMPI_Bcast(NULL, n, MPI_INT, 0, comm), &due);
    MPI_Error_class(MPI_Bcast(NULL, n, MPI_INT, 0, comm), &found);
    check(found == due && found != MPI_SUCCESS, "error %d, not %d", found, due);
#endif
    (void)n;
}

int main(int argc, char* argv[]) {
    int const lengths[] = {3, 1024, longest};
    begin_mpi(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    for (int l = 0; l != 3; ++l) {
        int const n = lengths[l], apart = size * n;
        check_refused(n);
        for (int i = 0; i != collectives; ++i) {
            enum collective const which = (enum collective)i;
            int const own = gives_all_parts(which) ? rank * n : gets_all_parts(which) ? -rank * n : 0;
            int const shifts[] = {own, 0, 1, -1, n / 2, own + 1, -n / 2};
            if (which == Bcast) { continue; }
            check_shifted(which, n, apart);
            for (int who = -1; who != size && (which == Allgather || which == Allgatherv); ++who) {
                check_shorter(which, n, who);
            }
            for (int k = 0; k != 7; ++k) {
                for (int who = -1; who != size; ++who) { /* all ranks, or one alone */
                    check_shifted(which, n, who < 0 || who == rank ? shifts[k] : apart);
                    check_shifted(which, n, apart);
                }
            }
        }
    }
    MPI_Comm_free(&comm);
    return end_mpi();
}
