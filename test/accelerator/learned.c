/* Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0. */

/* Programs whose calls repeat: as many as let the preloaded library try and choose, of several kinds in turn, on several
   communicators, with and without ranks that are late; results are right each time, and those of floating-point sums
   have the same bits in all calls. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most = 4096, communicators = 3 };

static int failures = 0;
static void check(int is_right, char const* what, int call) {
    if (!is_right && ++failures < 10) printf("wrong: %s, call %d\n", what, call);
}

static int in[most * 8], out[most * 8];
static double numbers[most], sums[most], first_sums[communicators][most];
static int has_sums[communicators];

/* The same on all ranks. */
static unsigned state = 1;
static unsigned next_random(void) {
    state = state * 1103515245u + 12345u;
    return state >> 16;
}

static void call(int which, int n, int root, MPI_Comm comm, int number) {
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    int const all = size * (size - 1) / 2;
    for (int i = 0; i < n; ++i) in[i] = rank + i % 7;
    switch (which) {
    case 0:
        MPI_Allreduce(in, out, n, MPI_INT, MPI_SUM, comm);
        check(out[n - 1] == all + size * ((n - 1) % 7), "Allreduce", number);
        break;
    case 1:
        MPI_Reduce(in, out, n, MPI_INT, MPI_MAX, root, comm);
        if (rank == root) check(out[n - 1] == size - 1 + (n - 1) % 7, "Reduce", number);
        break;
    case 2: {
        /* the root's type need not be that of the others */
        MPI_Datatype pair;
        int const count = n / 2;
        MPI_Type_contiguous(2, MPI_INT, &pair);
        MPI_Type_commit(&pair);
        for (int i = 0; i < 2 * count; ++i) out[i] = rank == root ? number + i : -1;
        if (rank == root) {
            MPI_Bcast(out, count, pair, root, comm);
        } else {
            MPI_Bcast(out, 2 * count, MPI_INT, root, comm);
        }
        MPI_Type_free(&pair);
        if (count > 0) check(out[2 * count - 1] == number + 2 * count - 1, "Bcast", number);
        break;
    }
    case 3:
        MPI_Scan(in, out, n, MPI_INT, MPI_SUM, comm);
        check(out[0] == rank * (rank + 1) / 2, "Scan", number);
        break;
    case 4:
        if (rank == root) {
            memcpy(out + root * n, in, (size_t)n * sizeof *in);
            MPI_Gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, out, n, MPI_INT, root, comm);
            for (int r = 0; r < size; ++r) check(out[r * n] == r, "Gather", number);
        } else {
            MPI_Gather(in, n, MPI_INT, NULL, 0, MPI_DATATYPE_NULL, root, comm);
        }
        break;
    case 5:
        MPI_Allgather(in, n, MPI_INT, out, n, MPI_INT, comm);
        for (int r = 0; r < size; ++r) check(out[r * n] == r, "Allgather", number);
        break;
    case 6:
        for (int i = 0; i < n * size; ++i) in[i] = rank;
        MPI_Reduce_scatter_block(in, out, n, MPI_INT, MPI_SUM, comm);
        check(out[n - 1] == all, "Reduce_scatter_block", number);
        break;
    default: {
        int const place = comm == MPI_COMM_WORLD ? 0 : 1;
        int const m = 100;
        for (int i = 0; i < m; ++i) numbers[i] = 1.0 / (rank * 3 + i + 1);
        MPI_Allreduce(numbers, sums, m, MPI_DOUBLE, MPI_SUM, comm);
        if (!has_sums[place]) {
            memcpy(first_sums[place], sums, m * sizeof *sums);
            has_sums[place] = 1;
        }
        check(memcmp(first_sums[place], sums, m * sizeof *sums) == 0, "bits of a sum", number);
    }
    }
}

int main(int argc, char** argv) {
    int rank, size;
    MPI_Init(&argc, &argv);
    int const calls = argc > 1 ? atoi(argv[1]) : 24000;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm all[communicators] = {MPI_COMM_WORLD, MPI_COMM_NULL, MPI_COMM_NULL};
    MPI_Comm_dup(MPI_COMM_WORLD, &all[1]);
    MPI_Comm_split(MPI_COMM_WORLD, 0, size - rank, &all[2]); /* the other way round */
    int const lengths[] = {1, 2, 64, 1024};
    for (int i = 0; i < calls; ++i) {
        int const which = (int)(next_random() % 8);
        int const n = lengths[next_random() % 4];
        int const root = (int)(next_random() % (unsigned)size);
        int const on = (int)(next_random() % 2) * (which == 7 ? 0 : 2);
        int const is_late = next_random() % 2000 == 0 && rank == root;
        for (double const until = MPI_Wtime() + 0.002; is_late && MPI_Wtime() < until;) {}
        call(which, n, root, all[on], i);
    }
    for (int i = 0; i < calls; ++i) call(0, 1, 0, all[1], i); /* one kind, back to back */
    MPI_Comm_free(&all[1]);
    MPI_Comm_free(&all[2]);
    int worst = 0;
    MPI_Reduce(&failures, &worst, 1, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("%d checks failed\n", worst);
    MPI_Finalize();
    return failures != 0;
}
