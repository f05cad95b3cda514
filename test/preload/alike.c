/* Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0. */

/* What ranks may differ in decides nothing that they must do alike: each rank calls from places and threads of its own,
   with handles of its own for types of one meaning, and does other things in between, on communicators that the others
   are not in. The calls go on while MPI performs them, while memory begins to be shared, and while both are tried. */
#include <support/check.h>

#include <pthread.h>

enum { most = 4096, kinds = 6 };

static long numbers[most], sums[most];
static double reals[most], real_sums[most];

static unsigned own_state, common_state = 1;
static int own(int n) { return draw(&own_state, n); } /* differs from rank to rank */
static int common(int n) { return draw(&common_state, n); }

struct one {
    int kind, n, root, number;
    MPI_Datatype whole;
    MPI_Comm comm;
};

#define PLACE(name)                                                                                              \
    static void __attribute__((noinline)) name(struct one const* a) {                                            \
        int const n = a->n, all = sum_below(size);                                                               \
        for (int i = 0; i < n; ++i) numbers[i] = rank + i % 7, reals[i] = rank;                                  \
        switch (a->kind) {                                                                                       \
        case 0:                                                                                                  \
            MPI_Allreduce(numbers, sums, n, a->whole, MPI_SUM, a->comm);                                         \
            check(sums[n - 1] == all + size * ((n - 1) % 7), "sum of whole numbers, call %d", a->number);        \
            break;                                                                                               \
        case 1:                                                                                                  \
            MPI_Allreduce(reals, real_sums, n, own(2) ? MPI_DOUBLE : MPI_DOUBLE_PRECISION, MPI_SUM, a->comm);    \
            check(real_sums[n - 1] == all, "sum, call %d", a->number);                                           \
            break;                                                                                               \
        case 2:                                                                                                  \
            if (rank == a->root) for (int i = 0; i < n; ++i) numbers[i] = a->number + i;                         \
            if (own(2)) MPI_Bcast(numbers, n, a->whole, a->root, a->comm);                                       \
            else MPI_Bcast(numbers, 8 * n, MPI_BYTE, a->root, a->comm);                                          \
            check(numbers[n - 1] == a->number + n - 1, "broadcast, call %d", a->number);                         \
            break;                                                                                               \
        case 3:                                                                                                  \
            if (own(2)) {                                                                                        \
                memcpy(sums, numbers, (size_t)n * sizeof *sums);                                                 \
                MPI_Scan(MPI_IN_PLACE, sums, n, a->whole, MPI_SUM, a->comm);                                     \
            } else {                                                                                             \
                MPI_Scan(numbers, sums, n, a->whole, MPI_SUM, a->comm);                                          \
            }                                                                                                    \
            check(sums[0] == sum_below(rank + 1), "scan, call %d", a->number);                                   \
            break;                                                                                               \
        case 4:                                                                                                  \
            MPI_Reduce(numbers, sums, n, a->whole, MPI_MAX, a->root, a->comm);                                   \
            check(rank != a->root || sums[0] == size - 1, "maximum, call %d", a->number);                        \
            break;                                                                                               \
        default: MPI_Barrier(a->comm);                                                                           \
        }                                                                                                        \
    }
PLACE(here)
PLACE(there)
PLACE(elsewhere)

static void* on_a_thread(void* argument) {
    elsewhere(argument);
    return NULL;
}

static void call(struct one* a) {
    pthread_t thread;
    switch (own(8)) {
    case 0:
        pthread_create(&thread, NULL, on_a_thread, a);
        pthread_join(thread, NULL);
        break;
    case 1:
    case 2: there(a); break;
    default: here(a);
    }
}

/* What a rank does alone, or with its neighbour. */
static void something_else(MPI_Comm pair, int number) {
    if (pair != MPI_COMM_NULL && number % 3 == 0) MPI_Bcast(sums, 100, MPI_LONG, 0, pair);
    if (own(50) == 0) {
        MPI_Comm alone;
        MPI_Comm_dup(MPI_COMM_SELF, &alone);
        MPI_Allreduce(numbers, sums, 1000, MPI_LONG, MPI_SUM, alone);
        MPI_Comm_free(&alone);
    }
    for (int i = own(3); i > 0; --i) MPI_Allreduce(numbers, sums, 8, MPI_LONG, MPI_SUM, MPI_COMM_SELF);
}

int main(int argc, char** argv) {
    begin_mpi_with_threads(MPI_THREAD_SERIALIZED, &argc, &argv);
    int const calls = argc > 1 ? atoi(argv[1]) : 4000;
    own_state = (unsigned)rank * 7919u + 1;

    MPI_Datatype names[] = {MPI_LONG, MPI_INT64_T, MPI_LONG_LONG, MPI_INTEGER8, MPI_LONG};
    if (names[3] == MPI_DATATYPE_NULL) names[3] = MPI_LONG;
    MPI_Type_create_f90_integer(18, &names[4]);

    MPI_Comm pair, both[2] = {MPI_COMM_WORLD, MPI_COMM_NULL};
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? MPI_UNDEFINED : rank / 3, 0, &pair); /* rank 0 is in none */
    MPI_Comm_dup(MPI_COMM_WORLD, &both[1]);
    int const lengths[] = {1, 2, 1, 700, 4096};
    for (int i = 0; i < calls; ++i) {
        struct one one = {common(kinds), 1, common(size), i, MPI_DATATYPE_NULL, both[common(2)]};
        if (i > calls / 2) one.kind = 0, one.n = 700, one.comm = both[0]; /* one kind, back to back */
        else one.n = lengths[common(5)];
        one.whole = names[own(5)];
        call(&one);
        something_else(pair, i);
    }
    MPI_Comm_free(&both[1]);
    if (pair != MPI_COMM_NULL) MPI_Comm_free(&pair);
    return end_mpi();
}
