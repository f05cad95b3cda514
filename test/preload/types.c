/* Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
 *
 * Collectives under the accelerator (LD_PRELOAD) whose ranks have types of one signature, six ints, made in every way
 * that MPI knows: in the order of memory and not, with gaps and without, nested, at absolute addresses; each rank
 * another one, for what it sends and for what it receives. What every byte of memory has to be is computed here. */
#include <support/check.h>

enum { ints = 6, most_types = 40, at_most = 3000 };

struct type {
    char const* name;
    MPI_Datatype handle;
    int map[ints]; /* where its ints are, in bytes */
    MPI_Aint extent;
    int overlaps;
};
static struct type types[most_types];
static int number = 0;

/* ---- types ------------------------------------------------------------------------------------------------------- */

static void add(char const* name, MPI_Datatype handle, int const* map) {
    struct type* const t = &types[number++];
    MPI_Aint lower;
    t->name = name;
    t->handle = committed(handle);
    memcpy(t->map, map, sizeof t->map);
    MPI_Type_get_extent(handle, &lower, &t->extent);
}
#define MAP(...) ((int const[ints]){__VA_ARGS__})
static int const in_order[] = {0, 4, 8, 12, 16, 20}, swapped[] = {12, 16, 20, 0, 4, 8},
                 backwards[] = {20, 16, 12, 8, 4, 0};

static void make_types(void) {
    MPI_Datatype t, u, three;
    int const ones[] = {1, 1, 1, 1, 1, 1}, down[] = {5, 4, 3, 2, 1, 0}, halves[] = {3, 3}, half_places[] = {3, 0};
    MPI_Aint const bytes_down[] = {20, 16, 12, 8, 4, 0};
    MPI_Type_contiguous(ints, MPI_INT, &t);
    add("a row", t, in_order);
    MPI_Type_dup(t, &u), add("a duplicate of a row", u, in_order);
    MPI_Type_create_resized(t, -8, 48, &u), add("a row with space around it", u, in_order);
    MPI_Type_create_resized(t, 0, 24, &u), add("a row resized to what it is", u, in_order);
    MPI_Type_indexed(ints, ones, down, MPI_INT, &t), add("indexed backwards", t, backwards);
    MPI_Type_dup(t, &u), add("a duplicate of indexed backwards", u, backwards);
    MPI_Type_contiguous(1, t, &u), add("a row of indexed backwards", u, backwards);
    MPI_Type_create_resized(t, 0, 24, &u), add("indexed backwards resized to what it is", u, backwards);
    MPI_Type_create_resized(t, 0, 40, &u), add("indexed backwards with space", u, backwards);
    MPI_Type_create_hindexed(ints, ones, bytes_down, MPI_INT, &t), add("hindexed backwards", t, backwards);
    MPI_Type_indexed(2, halves, half_places, MPI_INT, &t), add("indexed halves swapped", t, swapped);
    MPI_Type_create_indexed_block(2, 3, half_places, MPI_INT, &t), add("indexed blocks swapped", t, swapped);
    MPI_Type_create_hindexed_block(ints, 1, bytes_down, MPI_INT, &t), add("hindexed blocks backwards", t, backwards);
    MPI_Type_create_indexed_block(2, 3, (int const[]){0, 3}, MPI_INT, &t), add("indexed blocks in order", t, in_order);
    MPI_Type_create_indexed_block(2, 3, (int const[]){0, -5}, MPI_INT, &t);
    add("indexed blocks before the address", t, MAP(0, 4, 8, -20, -16, -12));
    MPI_Type_vector(2, 3, 3, MPI_INT, &t), add("a vector without gaps", t, in_order);
    MPI_Type_vector(2, 3, 4, MPI_INT, &t), add("a vector with a gap", t, MAP(0, 4, 8, 16, 20, 24));
    MPI_Type_vector(2, 3, -3, MPI_INT, &t), add("a vector downwards", t, MAP(0, 4, 8, -12, -8, -4));
    MPI_Type_create_hvector(ints, 1, 4, MPI_INT, &t), add("an hvector without gaps", t, in_order);
    MPI_Type_create_hvector(ints, 1, -4, MPI_INT, &t), add("an hvector downwards", t, MAP(0, -4, -8, -12, -16, -20));
    MPI_Type_create_resized(t, -20, 24, &u), add("an hvector downwards resized", u, MAP(0, -4, -8, -12, -16, -20));
    MPI_Type_create_struct(2, (int const[]){4, 2}, (MPI_Aint const[]){8, 0}, (MPI_Datatype const[]){MPI_INT, MPI_INT},
                           &t);
    add("a struct out of order", t, MAP(8, 12, 16, 20, 0, 4));
    MPI_Type_create_struct(4, (int const[]){0, 2, 0, 4}, (MPI_Aint const[]){100, 0, -100, 8},
                           (MPI_Datatype const[]){MPI_DOUBLE, MPI_INT, MPI_CHAR, MPI_INT}, &t);
    add("a struct with empty blocks", t, in_order);
    MPI_Type_create_struct(2, (int const[]){2, 4}, (MPI_Aint const[]){0, 16}, (MPI_Datatype const[]){MPI_INT, MPI_INT},
                           &t);
    add("a struct with a gap", t, MAP(0, 4, 16, 20, 24, 28));
    MPI_Type_create_subarray(2, (int const[]){4, 5}, (int const[]){2, 3}, (int const[]){1, 1}, MPI_ORDER_C, MPI_INT,
                             &t);
    add("a part of a matrix", t, MAP(24, 28, 32, 44, 48, 52));
    MPI_Type_create_subarray(2, (int const[]){2, 3}, (int const[]){2, 3}, (int const[]){0, 0}, MPI_ORDER_FORTRAN,
                             MPI_INT, &t);
    add("a whole matrix", t, in_order);
    MPI_Type_create_darray(2, 1, 2, (int const[]){4, 3}, (int const[]){MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE},
                           (int const[]){1, MPI_DISTRIBUTE_DFLT_DARG}, (int const[]){2, 1}, MPI_ORDER_C, MPI_INT, &t);
    add("every second row of a matrix", t, MAP(12, 16, 20, 36, 40, 44));
    MPI_Type_create_struct(3, (int const[]){1, 1, 1}, (MPI_Aint const[]){8, 0, 4},
                           (MPI_Datatype const[]){MPI_INT, MPI_INT, MPI_INT}, &three);
    MPI_Type_contiguous(2, three, &t), add("a row of two structs out of order", t, MAP(8, 0, 4, 20, 12, 16));
    MPI_Type_create_hvector(2, 1, -12, three, &t), add("an hvector of structs", t, MAP(8, 0, 4, -4, -12, -8));
    MPI_Type_contiguous(3, MPI_INT, &u);
    MPI_Type_create_indexed_block(2, 1, (int const[]){1, 0}, u, &t), add("indexed rows swapped", t, swapped);
    MPI_Type_free(&u);
    MPI_Type_contiguous(1, t, &u), MPI_Type_dup(u, &t), add("a duplicate of a row of that", t, swapped);
    MPI_Type_free(&u), MPI_Type_free(&three);
    MPI_Type_contiguous(3, MPI_2INT, &t), add("three pairs", t, in_order);
    MPI_Type_indexed(3, ones, (int const[]){2, 0, 1}, MPI_2INT, &t),
        add("pairs out of order", t, MAP(16, 20, 0, 4, 8, 12));
    MPI_Type_create_f90_integer(9, &u);
    MPI_Type_contiguous(ints, u, &t), add("a row of Fortran's integers", t, in_order);
    MPI_Type_indexed(ints, ones, down, u, &t), add("Fortran's integers backwards", t, backwards);
    MPI_Type_indexed(ints, ones, (int const[]){0, 1, 1, 2, 4, 5}, MPI_INT, &t);
    add("one int twice, and a gap", t, MAP(0, 4, 4, 8, 16, 20));
    types[number - 1].overlaps = 1;
#if MPI_VERSION >= 4
    MPI_Type_contiguous_c(ints, MPI_INT, &t), add("a row with a large count", t, in_order);
    MPI_Type_vector_c(2, 3, -3, MPI_INT, &t), add("a vector downwards with large counts", t, MAP(0, 4, 8, -12, -8, -4));
#endif
}

/* The same at absolute addresses. */
static MPI_Datatype at_address(void const* memory, struct type const* t) {
    MPI_Aint address;
    MPI_Datatype result;
    MPI_Get_address(memory, &address);
    MPI_Type_create_hindexed_block(1, 1, &address, t->handle, &result);
    return committed(result);
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

enum { bytes_of_memory = 1 << 21, begin = 4096 }; /* of elements: some of their data is before that */
static char input[bytes_of_memory], output[bytes_of_memory], expected[bytes_of_memory];

static int value(int of, MPI_Aint offset) {
    return 1 + (int)(((unsigned)(offset / 4 + 1000) * 2654435761U >> 8) % 83 + (unsigned)of * 41) % 250;
}
/* What a rank sends as int k of element i. */
static int sent(int of, struct type const* t, int i, int k) { return value(of, i * t->extent + t->map[k]); }

static void fill_input(void) {
    for (size_t at = 0; at != bytes_of_memory; at += 4) {
        int const is = value(rank, (MPI_Aint)at - (MPI_Aint)begin);
        memcpy(input + at, &is, sizeof is);
    }
}
static void clear(void) { memset(output, 0x55, bytes_of_memory), memset(expected, 0x55, bytes_of_memory); }
static void expect(struct type const* t, long i, int k, int is) {
    memcpy(expected + begin + i * t->extent + t->map[k], &is, sizeof is);
}
static void compare(char const* what, struct type const* s, struct type const* r, int n) {
    check(memcmp(output, expected, bytes_of_memory) == 0, "%s, %s to %s, %d elements", what, s->name, r->name, n);
}

/* ---- moves ------------------------------------------------------------------------------------------------------- */

static struct type const *sends_of[16], *receives_of[16];

/* Elements that a rank has sent, by a type of its own. */
static void expect_from(int from, struct type const* of, int first_sent, int count, int place) {
    for (int i = 0; i != count; ++i) {
        for (int k = 0; k != ints; ++k) { expect(receives_of[rank], place + i, k, sent(from, of, first_sent + i, k)); }
    }
}
static void expect_part(int from, int first_sent, int count, int place) {
    expect_from(from, sends_of[from], first_sent, count, place);
}
static void expect_parts(int const* counts, int const* places) {
    for (int of = 0; of != size; ++of) { expect_part(of, 0, counts[of], places[of]); }
}

static void moves(int n, int absolute) {
    MPI_Comm const comm = MPI_COMM_WORLD;
    struct type const *const sends = sends_of[rank], *const receives = receives_of[rank];
    int const root = (n + 1) % size;
    int counts[16], places[16], at = 1, equal[16], equal_places[16];
    char* const in = absolute ? MPI_BOTTOM : input + begin;
    char* const out = absolute ? MPI_BOTTOM : output + begin;
    MPI_Datatype const s = absolute ? at_address(input + begin, sends) : sends->handle;
    MPI_Datatype const r = absolute ? at_address(output + begin, receives) : receives->handle;
    for (int i = size; i-- != 0;) { /* backwards, with gaps */
        counts[i] = n / size + i;
        places[i] = at;
        at += counts[i] + 1;
        equal[i] = n;
        equal_places[i] = i * n;
    }
#define MOVE(name, what, expecting, ...)                                                                               \
    MPI_##name(__VA_ARGS__, comm);                                                                                     \
    expecting;                                                                                                         \
    compare("MPI_" #name what, sends, receives, n);                                                                    \
    clear()
#define AT_ROOT(expecting)                                                                                             \
    if (rank == root) { expecting; }
    clear();
    MOVE(Bcast, "", if (rank != root) { expect_part(root, 0, n, 0); }, rank == root ? in : out, n, rank == root ? s : r,
         root);
    MOVE(Allgather, "", expect_parts(equal, equal_places), in, n, s, out, n, r);
    MOVE(Allgatherv, "", expect_parts(counts, places), in, counts[rank], s, out, counts, places, r);
    MOVE(Gather, "", AT_ROOT(expect_parts(equal, equal_places)), in, n, s, out, n, r, root);
    MOVE(Gatherv, "", AT_ROOT(expect_parts(counts, places)), in, counts[rank], s, out, counts, places, r, root);
    MOVE(Scatter, "", expect_part(root, rank * n, n, 0), in, n, s, out, n, r, root);
    MOVE(Scatterv, "", expect_part(root, places[rank], counts[rank], 0), in, counts, places, s, out, counts[rank], r,
         root);
    expect_from(rank, receives, 0, n, rank * n);
    memcpy(output, expected, bytes_of_memory);
    MOVE(Allgather, " in place",
         for (int of = 0; of != size; ++of) { expect_from(of, receives_of[of], 0, n, of * n); },
         MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, out, n, r);
    if (absolute) {
        MPI_Datatype a = s, b = r;
        MPI_Type_free(&a), MPI_Type_free(&b);
    }
}

/* ---- reductions -------------------------------------------------------------------------------------------------- */

static struct type absolute_type;

static int* int_at(void* memory, struct type const* t, int i, int k) {
    return (int*)(void*)((char*)memory + i * t->extent + t->map[k]);
}

/* Three affine maps modulo 251 in each element. */
static void compose(void* left, void* inout, int* n, MPI_Datatype* type) {
    struct type const* t = &absolute_type;
    char *a = left, *b = inout;
    if (*type == absolute_type.handle) { /* the elements are that far from where the function is told */
        MPI_Aint here;
        MPI_Get_address(output + begin, &here);
        a += here, b += here;
    } else {
        for (t = types; t != types + number && t->handle != *type; ++t) {}
        if (!check(t != types + number, "an operator is given an unknown type")) { return; }
    }
    for (int i = 0; i != *n; ++i) {
        for (int k = 0; k != ints; k += 2) {
            compose_map(*int_at(a, t, i, k), *int_at(a, t, i, k + 1), int_at(b, t, i, k), int_at(b, t, i, k + 1));
        }
    }
}

/* The maps of ranks [0, last), of elements from `first` on. */
static void expect_composed(int last, int first, int count) {
    for (int i = 0; i != count; ++i) {
        for (int k = 0; k != ints; k += 2) {
            int b0 = 1, b1 = 0;
            for (int r = last; r-- != 0;) {
                compose_map(sent(r, sends_of[r], first + i, k), sent(r, sends_of[r], first + i, k + 1), &b0, &b1);
            }
            expect(sends_of[rank], i, k, b0), expect(sends_of[rank], i, k + 1, b1);
        }
    }
}

static void begin_in_place(int n) {
    clear();
    for (int i = 0; i != n; ++i) {
        for (int k = 0; k != ints; ++k) { expect(sends_of[rank], i, k, sent(rank, sends_of[rank], i, k)); }
    }
    memcpy(output, expected, bytes_of_memory);
}

static void reductions(int n, MPI_Op op) {
    MPI_Comm const comm = MPI_COMM_WORLD;
    struct type const* const t = sends_of[rank];
    MPI_Datatype const h = t->handle;
    int const root = n % size;
    char *const in = input + begin, *const out = output + begin;
    int counts[16], all = 0, before = 0;
    for (int r = 0; r != size; ++r) {
        counts[r] = n / size - r % 2;
        all += counts[r];
        before += r < rank ? counts[r] : 0;
    }
#define REDUCE(begin, name, what, is_due, ranks, ...)                                                                  \
    begin;                                                                                                             \
    MPI_##name(__VA_ARGS__, op, comm);                                                                                 \
    if (is_due) { expect_composed(ranks, 0, n); }                                                                      \
    compare("MPI_" #name what, t, t, n)
    REDUCE(clear(), Allreduce, "", 1, size, in, out, n, h);
    REDUCE(begin_in_place(n), Allreduce, " in place", 1, size, MPI_IN_PLACE, out, n, h);
    REDUCE(clear(), Scan, "", 1, rank + 1, in, out, n, h);
    REDUCE(clear(), Exscan, "", rank != 0, rank, in, out, n, h);
    REDUCE(begin_in_place(n), Exscan, " in place", rank != 0, rank, MPI_IN_PLACE, out, n, h);
    absolute_type = *t;
    absolute_type.handle = at_address(out, t);
    REDUCE(begin_in_place(n), Allreduce, " at absolute addresses", 1, size, MPI_IN_PLACE, MPI_BOTTOM, n,
           absolute_type.handle);
    MPI_Type_free(&absolute_type.handle);
    clear();
    MPI_Reduce(in, out, n, h, op, root, comm);
    if (rank == root) { expect_composed(size, 0, n); }
    compare("MPI_Reduce", t, t, n);
#ifndef OPEN_MPI /* MPICH's own writes outside its memory in MPI_Reduce_scatter_block where there are gaps */
    int gaps = 0;
    for (int r = 0; r != size; ++r) { gaps += sends_of[r]->extent != ints * 4; }
    char const* const says = getenv("TUTTI");
    if (gaps != 0 && (says == NULL || strcmp(says, "all!") != 0)) { return; }
#endif
    clear();
    MPI_Reduce_scatter_block(in, out, n / size, h, op, comm);
    expect_composed(size, rank * (n / size), n / size);
    compare("MPI_Reduce_scatter_block", t, t, n);
    clear();
    MPI_Reduce_scatter(in, out, counts, h, op, comm);
    expect_composed(size, before, counts[rank]);
    compare("MPI_Reduce_scatter", t, t, all);
}

/* A handle that is used again is another type. */
static void reused_handles(int n) {
    for (int round = 0; round != 6; ++round) {
        int const down[] = {5, 4, 3, 2, 1, 0}, up[] = {0, 1, 2, 3, 4, 5};
        struct type t = {"a type made anew", MPI_DATATYPE_NULL, {0}, 24, 0};
        memcpy(t.map, round % 2 == 0 ? backwards : in_order, sizeof t.map);
        MPI_Type_create_indexed_block(ints, 1, round % 2 == 0 ? down : up, MPI_INT, &t.handle);
        t.handle = committed(t.handle);
        sends_of[0] = &t, receives_of[rank] = &types[0];
        clear();
        if (rank == 0) {
            MPI_Bcast(input + begin, n, t.handle, 0, MPI_COMM_WORLD);
        } else {
            MPI_Bcast(output + begin, n, types[0].handle, 0, MPI_COMM_WORLD);
            expect_part(0, 0, n, 0);
        }
        compare("MPI_Bcast", &t, &types[0], n);
        MPI_Type_free(&t.handle);
    }
}

int main(int argc, char** argv) {
    int const lengths[] = {5, at_most};
    MPI_Op op;
    begin_mpi(&argc, &argv);
    make_types();
    MPI_Op_create(compose, 0, &op);
    fill_input();
    for (int l = 0; l != 2; ++l) {
        int const n = lengths[l];
        for (int i = 0; i != number; ++i) {
            for (int r = 0; r != size; ++r) {
                sends_of[r] = &types[(i + 7 * r) % number];
                receives_of[r] = &types[(2 * i + 11 * r) % number];
                if (receives_of[r]->overlaps) { receives_of[r] = &types[0]; }
            }
            moves(n, i % 2);
            for (int r = 0; r != size; ++r) {
                if (sends_of[r]->overlaps) { sends_of[r] = &types[4]; }
            }
            reductions(n, op);
        }
        reused_handles(n);
    }
    MPI_Op_free(&op);
    for (int i = 0; i != number; ++i) { MPI_Type_free(&types[i].handle); }
    return end_mpi();
}
