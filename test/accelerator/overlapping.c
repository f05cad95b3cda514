/* Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0. */

/* Memory that MPI forbids: what a rank gives lies in what it gets. MPI libraries perform such calls, or most of them, and so does
   the accelerator, on all ranks alike, though one rank alone may know of it: results are those of a copy. Nor is a program ended that
   gives fewer elements of an allgather than it gets. */
#include <stdio.h>
#include <string.h>

#include <mpi.h>

enum { longest = 20000, most_ranks = 8, room = 3 * most_ranks * longest };
enum function {
    allreduce,
    scan,
    exscan,
    reduce,
    block,
    scattered,
    gather,
    gatherv,
    scatter,
    scatterv,
    allgather,
    allgatherv,
    functions
};
static char const* const names[] = {"Allreduce",      "Scan",      "Exscan",  "Reduce",  "Reduce_scatter_block",
                                    "Reduce_scatter", "Gather",    "Gatherv", "Scatter", "Scatterv",
                                    "Allgather",      "Allgatherv"};
static int rank, size, counts[most_ranks], places[most_ranks];
static int memory[room], before[room], due[room];

static int call(enum function which, int const* in, int* out, int n, int root, MPI_Comm comm) {
    switch (which) {
    case allreduce: return MPI_Allreduce(in, out, n, MPI_INT, MPI_SUM, comm);
    case scan: return MPI_Scan(in, out, n, MPI_INT, MPI_SUM, comm);
    case exscan: return MPI_Exscan(in, out, n, MPI_INT, MPI_SUM, comm);
    case reduce: return MPI_Reduce(in, out, n, MPI_INT, MPI_SUM, root, comm);
    case block: return MPI_Reduce_scatter_block(in, out, n, MPI_INT, MPI_SUM, comm);
    case scattered: return MPI_Reduce_scatter(in, out, counts, MPI_INT, MPI_SUM, comm);
    case gather: return MPI_Gather(in, n, MPI_INT, out, n, MPI_INT, root, comm);
    case gatherv: return MPI_Gatherv(in, n, MPI_INT, out, counts, places, MPI_INT, root, comm);
    case scatter: return MPI_Scatter(in, n, MPI_INT, out, n, MPI_INT, root, comm);
    case scatterv: return MPI_Scatterv(in, counts, places, MPI_INT, out, n, MPI_INT, root, comm);
    case allgather: return MPI_Allgather(in, n, MPI_INT, out, n, MPI_INT, comm);
    default: return MPI_Allgatherv(in, n, MPI_INT, out, counts, places, MPI_INT, comm);
    }
}
static int gives_whole(enum function which) {
    return which == block || which == scattered || which == scatter || which == scatterv;
}
static int gets_whole(enum function which) { return which >= gather && !gives_whole(which); }
static int is_rooted(enum function which) { return which == reduce || (which >= gather && which <= scatterv); }

static int of(int r, int i) { return (r + 1) * 1000 + i % 997; } /* element i of rank r's input */
static int result(enum function which, int i, int n, int root) {
    int sum = 0;
    switch (which) {
    case allreduce:
    case reduce:
        for (int r = 0; r != size; ++r) { sum += of(r, i); }
        return sum;
    case scan:
        for (int r = 0; r <= rank; ++r) { sum += of(r, i); }
        return sum;
    case exscan:
        for (int r = 0; r < rank; ++r) { sum += of(r, i); }
        return sum;
    case block:
    case scattered:
        for (int r = 0; r != size; ++r) { sum += of(r, rank * n + i); }
        return sum;
    case scatter:
    case scatterv: return of(root, rank * n + i);
    default: return of(i / n, i % n);
    }
}

/* Of one call: `in` and `out` lie in one memory, where elements of the result begin `shift` after those given. */
static int check(enum function which, int n, int shift, int root, MPI_Comm comm) {
    int const given = gives_whole(which) ? size * n : n;
    int const gets = is_rooted(which) && gives_whole(which) == 0 && rank != root ? 0
                     : which == exscan && rank == 0                              ? 0
                                                                                 : 1;
    int const got = gets ? (gets_whole(which) ? size * n : n) : 0;
    int* const in = memory + most_ranks * longest;
    int* const out = in + shift;
    int wrong = 0;
    for (int i = 0; i != room; ++i) { memory[i] = -7; }
    for (int i = 0; i != given; ++i) { in[i] = of(rank, i); }
    memcpy(before, memory, sizeof memory);
    memcpy(due, memory, sizeof memory);
    for (int i = 0; i != got; ++i) { due[out - memory + i] = result(which, i, n, root); }
    int const code = call(which, in, out, n, root, comm);
    /* rank 0 of an exscan may find anything where it gets nothing, though not elsewhere */
    for (int i = 0; i != room; ++i) {
        int const may_differ = which == exscan && rank == 0 && i >= out - memory && i < out - memory + n;
        wrong += memory[i] != due[i] && !may_differ;
    }
    if (code != MPI_SUCCESS || wrong != 0) {
        printf("rank %d: MPI_%s of %d, shift %d: code %d, %d wrong\n", rank, names[which], n, shift, code, wrong);
    }
    return code != MPI_SUCCESS || wrong != 0;
}

/* Rank `who`, or each, gives half of the elements that it is to get: they are the first of its part, whose others lie
   there. */
static int check_shorter(enum function which, int n, int who, MPI_Comm comm) {
    int const in = most_ranks * longest, given = who < 0 || who == rank ? n / 2 : n;
    int wrong = 0;
    for (int i = 0; i != size * n; ++i) { memory[i] = -rank - 1; }
    for (int i = 0; i != given; ++i) { memory[in + i] = of(rank, i); }
    int const code = which == allgather
                         ? MPI_Allgather(memory + in, given, MPI_INT, memory, n, MPI_INT, comm)
                         : MPI_Allgatherv(memory + in, given, MPI_INT, memory, counts, places, MPI_INT, comm);
    for (int i = 0; i != size * n; ++i) {
        int const r = i / n, there = who < 0 || who == r ? n / 2 : n;
        wrong += memory[i] != (i % n < there ? of(r, i % n) : -r - 1);
    }
    if (code != MPI_SUCCESS || wrong != 0) {
        printf("rank %d: MPI_%s of %d from %d: code %d, %d wrong\n", rank, names[which], n, given, code, wrong);
    }
    return code != MPI_SUCCESS || wrong != 0;
}

/* What MPI refuses it refuses itself. Open MPI 4.1 does not look. */
#ifndef OPEN_MPI
static int check_refused(int n, MPI_Comm comm) {
    int due_class = MPI_SUCCESS, class = MPI_SUCCESS;
    MPI_Error_class(PMPI_Bcast(NULL, n, MPI_INT, 0, comm), &due_class);
    MPI_Error_class(MPI_Bcast(NULL, n, MPI_INT, 0, comm), &class);
    if (class != due_class || class == MPI_SUCCESS) { printf("rank %d: error %d, not %d\n", rank, class, due_class); }
    return class != due_class || class == MPI_SUCCESS;
}
#endif

int main(int argc, char* argv[]) {
    int wrong = 0;
    MPI_Comm comm;
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    for (int n = 3; n <= longest; n = n == 3 ? 1024 : n == 1024 ? longest : longest + 1) {
        for (int r = 0; r != size; ++r) {
            counts[r] = n;
            places[r] = r * n;
        }
#ifndef OPEN_MPI
        wrong += check_refused(n, comm);
#endif
        for (int i = 0; i != functions; ++i) {
            enum function const which = (enum function)i;
            int const apart = size * n, root = size - 1;
            int const own = which == block || which == scattered || which == scatter || which == scatterv ? rank * n
                            : which >= gather                                                             ? -rank * n
                                                                                                          : 0;
            int const shifts[] = {own, 0, 1, -1, n / 2, own + 1, -n / 2};
            wrong += check(which, n, apart, root, comm);
            for (int who = -1; who != size && (which == allgather || which == allgatherv); ++who) {
                wrong += check_shorter(which, n, who, comm);
            }
            for (int k = 0; k != (int)(sizeof shifts / sizeof *shifts); ++k) {
                for (int who = -1; who != size; ++who) { /* all ranks, or one alone */
                    wrong += check(which, n, who < 0 || who == rank ? shifts[k] : apart, root, comm);
                    wrong += check(which, n, apart, root, comm);
                }
            }
        }
    }
    if (wrong != 0) { printf("%d checks failed on rank %d\n", wrong, rank); }
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return wrong != 0;
}
