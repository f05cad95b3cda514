/* Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
 *
 * MPI's collectives under the accelerator (LD_PRELOAD, TUTTI=all) against the same by the profiling interface: every
 * predefined operator with every predefined type for which it is meant, user's operators, derived types, in place and
 * not, zero counts, errors. Values are small whole numbers, so that no order of the operands changes a bit. */
#include <mpi.h>

#include <complex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size, failures = 0;
static long checks = 0;

static void check(int holds, char const* what, char const* of, int n) {
    ++checks;
    if (!holds) {
        ++failures;
        if (failures < 20) { fprintf(stderr, "[rank %d of %d] %s, %s, %d elements\n", rank, size, what, of, n); }
    }
}

/* ---- types ------------------------------------------------------------------------------------------------------- */

enum kind { INTEGER, FORTRAN_INTEGER, FLOATING, LOGICAL, COMPLEX, BYTE, PAIR, INTS };

struct type {
    MPI_Datatype handle;
    char const* name;
    enum kind kind;
    char code; /* how an element is written */
};

static struct type types[64];
static int number_of_types = 0;

static void add(MPI_Datatype handle, char const* name, enum kind kind, char code) {
    if (handle == MPI_DATATYPE_NULL) { return; }
    int bytes = 0;
    MPI_Type_size(handle, &bytes);
    if (bytes == 0) { return; }
    types[number_of_types++] = (struct type){handle, name, kind, code};
}
#define ADD(handle, kind, code) add(handle, #handle, kind, code)

static void list_types(void) {
    ADD(MPI_CHAR, BYTE, 'c'); /* no operator of the standard: moved only */
    ADD(MPI_SIGNED_CHAR, INTEGER, 'i'); ADD(MPI_UNSIGNED_CHAR, INTEGER, 'i');
    ADD(MPI_SHORT, INTEGER, 'i'); ADD(MPI_UNSIGNED_SHORT, INTEGER, 'i');
    ADD(MPI_INT, INTEGER, 'i'); ADD(MPI_UNSIGNED, INTEGER, 'i');
    ADD(MPI_LONG, INTEGER, 'i'); ADD(MPI_UNSIGNED_LONG, INTEGER, 'i');
    ADD(MPI_LONG_LONG, INTEGER, 'i'); ADD(MPI_UNSIGNED_LONG_LONG, INTEGER, 'i');
    ADD(MPI_INT8_T, INTEGER, 'i'); ADD(MPI_INT16_T, INTEGER, 'i');
    ADD(MPI_INT32_T, INTEGER, 'i'); ADD(MPI_INT64_T, INTEGER, 'i');
    ADD(MPI_UINT8_T, INTEGER, 'i'); ADD(MPI_UINT16_T, INTEGER, 'i');
    ADD(MPI_UINT32_T, INTEGER, 'i'); ADD(MPI_UINT64_T, INTEGER, 'i');
    ADD(MPI_AINT, FORTRAN_INTEGER, 'i'); ADD(MPI_OFFSET, FORTRAN_INTEGER, 'i'); ADD(MPI_COUNT, FORTRAN_INTEGER, 'i');
    ADD(MPI_INTEGER, FORTRAN_INTEGER, 'i');
    ADD(MPI_FLOAT, FLOATING, 'f'); ADD(MPI_DOUBLE, FLOATING, 'd'); ADD(MPI_LONG_DOUBLE, FLOATING, 'l');
    ADD(MPI_REAL, FLOATING, 'f'); ADD(MPI_DOUBLE_PRECISION, FLOATING, 'd');
    ADD(MPI_C_BOOL, LOGICAL, 'i'); ADD(MPI_LOGICAL, LOGICAL, 'i');
    ADD(MPI_C_FLOAT_COMPLEX, COMPLEX, 'f'); ADD(MPI_C_DOUBLE_COMPLEX, COMPLEX, 'd');
    ADD(MPI_COMPLEX, COMPLEX, 'f'); ADD(MPI_DOUBLE_COMPLEX, COMPLEX, 'd');
    ADD(MPI_BYTE, BYTE, 'b');
    ADD(MPI_FLOAT_INT, PAIR, 'f'); ADD(MPI_DOUBLE_INT, PAIR, 'd'); ADD(MPI_LONG_INT, PAIR, 'L');
    ADD(MPI_2INT, PAIR, 'i'); ADD(MPI_SHORT_INT, PAIR, 's'); ADD(MPI_LONG_DOUBLE_INT, PAIR, 'l');
}

struct operator {
    MPI_Op handle;
    char const* name;
    unsigned kinds; /* bits */
};
#define ON(kind) (1U << (kind))

static int write_number(char* to, char code, int bytes, int value) {
    float f = (float)value;
    double d = value;
    long double l = value;
    long long i = value;
    switch (code) {
    case 'f': memcpy(to, &f, sizeof f); return (int)sizeof f;
    case 'd': memcpy(to, &d, sizeof d); return (int)sizeof d;
    case 'l': memset(to, 0, sizeof l); memcpy(to, &l, 10); return (int)sizeof l;
    case 's': { short s = (short)value; memcpy(to, &s, sizeof s); return (int)sizeof(int); }
    case 'L': { long n = value; memcpy(to, &n, sizeof n); return (int)sizeof n; }
    default: memcpy(to, &i, (size_t)bytes); return bytes; /* little-endian */
    }
}

static MPI_Aint extent_of(MPI_Datatype type) {
    MPI_Aint lower, extent;
    MPI_Type_get_extent(type, &lower, &extent);
    return extent;
}

/* Small numbers that differ between ranks and elements; products stay small too. */
static void fill(char* memory, struct type const* t, int n, int of) {
    int bytes;
    MPI_Type_size(t->handle, &bytes);
    MPI_Aint const extent = extent_of(t->handle);
    memset(memory, 0, (size_t)n * (size_t)extent);
    for (int i = 0; i != n; ++i) {
        char* to = memory + i * extent;
        int const value = (i * 7 + of * 5) % 3 == 0 ? 2 : (i + of) % 2;
        if (t->kind == PAIR) {
            int const next = t->code == 'i' ? 4 : write_number(to, t->code, 4, value);
            if (t->code == 'i') { write_number(to, 'i', 4, value); }
            int const index = of * 100 + i % 10;
            memcpy(to + (t->code == 's' ? 4 : next), &index, sizeof index);
        } else if (t->kind == COMPLEX) {
            int const next = write_number(to, t->code, 0, value);
            write_number(to + next, t->code, 0, 1 - value);
        } else if (t->kind == INTS) {
            for (int k = 0; k * 4 != extent; ++k) { write_number(to + k * 4, 'i', 4, 1 + (i * 7 + of * 31 + k * 5) % 250); }
        } else if (t->kind == LOGICAL) {
            write_number(to, 'i', bytes, value != 0);
        } else {
            write_number(to, t->code, bytes, value);
        }
    }
}

/* Without what lies between the parts of a pair. */
static int same(char const* a, char const* b, struct type const* t, int n) {
    MPI_Aint const extent = extent_of(t->handle);
    for (int i = 0; i != n; ++i, a += extent, b += extent) {
        if (t->kind == PAIR) {
            int const first = t->code == 'd' || t->code == 'L' ? 8 : t->code == 'l' ? 10 : t->code == 's' ? 2 : 4;
            int const second = t->code == 'd' || t->code == 'L' ? 8 : t->code == 'l' ? 16 : 4;
            if (memcmp(a, b, (size_t)first) != 0 || memcmp(a + second, b + second, 4) != 0) { return 0; }
        } else if (t->code == 'l') {
            if (memcmp(a, b, 10) != 0) { return 0; }
        } else if (memcmp(a, b, (size_t)extent) != 0) {
            return 0;
        }
    }
    return 1;
}

/* ---- reductions -------------------------------------------------------------------------------------------------- */

static char *in, *out, *expected, *both;
static int parts[64];

static void reductions(struct type const* t, MPI_Op op, char const* name, int n) {
    MPI_Comm const comm = MPI_COMM_WORLD;
    MPI_Datatype const h = t->handle;
    char what[128];
    size_t const bytes = (size_t)n * (size_t)extent_of(h);
    int const root = (n + 1) % size;
    snprintf(what, sizeof what, "%s of %s", name, t->name);
    fill(in, t, n, rank);
    /* what lies in gaps is to stay */
#define BEGIN() (t->kind == INTS ? (memcpy(out, in, bytes), memcpy(expected, in, bytes))                               \
                                 : (memset(out, 0x55, bytes), memset(expected, 0x55, bytes)))
    BEGIN();
    PMPI_Allreduce(in, expected, n, h, op, comm);
    MPI_Allreduce(in, out, n, h, op, comm);
    check(same(out, expected, t, n), "MPI_Allreduce", what, n);
    memcpy(both, in, bytes);
    MPI_Allreduce(MPI_IN_PLACE, both, n, h, op, comm);
    check(same(both, expected, t, n), "MPI_Allreduce in place", what, n);
    BEGIN();
    PMPI_Reduce(in, expected, n, h, op, root, comm);
    MPI_Reduce(in, out, n, h, op, root, comm);
    check(rank == root ? same(out, expected, t, n) : memcmp(out, expected, bytes) == 0, "MPI_Reduce", what, n);
    memcpy(both, in, bytes);
    MPI_Reduce(rank == root ? MPI_IN_PLACE : both, rank == root ? both : NULL, n, h, op, root, comm);
    check(same(both, rank == root ? expected : in, t, n), "MPI_Reduce in place", what, n);
    BEGIN();
    PMPI_Scan(in, expected, n, h, op, comm);
    MPI_Scan(in, out, n, h, op, comm);
    check(same(out, expected, t, n), "MPI_Scan", what, n);
    memcpy(both, in, bytes);
    MPI_Scan(MPI_IN_PLACE, both, n, h, op, comm);
    check(same(both, expected, t, n), "MPI_Scan in place", what, n);
    BEGIN();
    PMPI_Exscan(in, expected, n, h, op, comm);
    MPI_Exscan(in, out, n, h, op, comm);
    check(rank == 0 ? memcmp(out, expected, bytes) == 0 : same(out, expected, t, n), "MPI_Exscan", what, n);
    memcpy(both, in, bytes);
    /* what rank 0 gives for a result is not significant */
    MPI_Exscan(in, rank == 0 && size > 1 ? NULL : out, n, h, op, comm);  // MPICH's own asks for it on a single rank
    if (rank != 0) { check(same(out, expected, t, n), "MPI_Exscan, no result on rank 0", what, n); }

    MPI_Exscan(MPI_IN_PLACE, both, n, h, op, comm);
    check(rank == 0 ? memcmp(both, in, bytes) == 0 : same(both, expected, t, n), "MPI_Exscan in place", what, n);
    memset(parts, 0, sizeof parts);
    for (int i = 0; i != n; ++i) { ++parts[i * i % size]; }
    BEGIN();
    PMPI_Reduce_scatter(in, expected, parts, h, op, comm);
    MPI_Reduce_scatter(in, out, parts, h, op, comm);
    check(same(out, expected, t, parts[rank]), "MPI_Reduce_scatter", what, n);
    memcpy(both, in, bytes);
    MPI_Reduce_scatter(MPI_IN_PLACE, both, parts, h, op, comm);
    size_t const own = (size_t)parts[rank] * (size_t)extent_of(h);
    check(same(both, expected, t, parts[rank]), "MPI_Reduce_scatter in place", what, n);
#ifdef OPEN_MPI /* whose own performs that of a user's operator which does not commute, and writes to what lies behind */
    if (t->kind != INTS)
#endif
    {
        check(memcmp(both + own, in + own, bytes - own) == 0, "MPI_Reduce_scatter in place, behind the result", what, n);
    }
#ifndef OPEN_MPI /* MPICH 4.0 writes outside its memory in MPI_Reduce_scatter_block where there are gaps */
    if (t->kind == INTS && extent_of(h) > 8) { return; }
#endif
    BEGIN();
    PMPI_Reduce_scatter_block(in, expected, n / size, h, op, comm);
    MPI_Reduce_scatter_block(in, out, n / size, h, op, comm);
    check(same(out, expected, t, n / size), "MPI_Reduce_scatter_block", what, n);
    memcpy(both, in, bytes);
    MPI_Reduce_scatter_block(MPI_IN_PLACE, both, n / size, h, op, comm);
    check(same(both, expected, t, n / size), "MPI_Reduce_scatter_block in place", what, n);
}

/* ---- data that is moved ------------------------------------------------------------------------------------------ */

static int places[64];

static void moves(MPI_Datatype h, char const* name, int n) {
    MPI_Comm const comm = MPI_COMM_WORLD;
    MPI_Aint const extent = extent_of(h);
    size_t const bytes = (size_t)n * (size_t)extent;
    size_t const whole = bytes * (size_t)size;
    int const root = (n + 1) % size;
    for (size_t i = 0; i != whole; ++i) { in[i] = (char)(i * 7 + (size_t)rank * 31); }
#define CLEAR() memset(out, 0x55, whole), memset(expected, 0x55, whole)
    memcpy(out, in, bytes), memcpy(expected, in, bytes);
    PMPI_Bcast(expected, n, h, root, comm);
    MPI_Bcast(out, n, h, root, comm);
    check(memcmp(out, expected, bytes) == 0, "MPI_Bcast", name, n);
#ifndef OPEN_MPI /* MPICH 4.0 truncates messages of its own MPI_Gather and MPI_Scatter where there are gaps */
    int bytes_of_data = 0;
    MPI_Type_size(h, &bytes_of_data);
    if (bytes_of_data == extent)
#endif
    {
        CLEAR();
        PMPI_Gather(in, n, h, expected, n, h, root, comm);
        MPI_Gather(in, n, h, rank == root ? out : NULL, n, rank == root ? h : MPI_DATATYPE_NULL, root, comm);
        check(memcmp(out, expected, whole) == 0, "MPI_Gather", name, n);
        CLEAR();
        memcpy(out, in, whole), memcpy(expected, in, whole);
        PMPI_Gather(rank == root ? MPI_IN_PLACE : in, n, h, expected, n, h, root, comm);
        MPI_Gather(rank == root ? MPI_IN_PLACE : in, n, h, out, n, h, root, comm);
        check(memcmp(out, expected, whole) == 0, "MPI_Gather in place", name, n);
        CLEAR();
        PMPI_Scatter(in, n, h, expected, n, h, root, comm);
        MPI_Scatter(rank == root ? in : NULL, n, h, out, n, h, root, comm);
        check(memcmp(out, expected, whole) == 0, "MPI_Scatter", name, n);
        CLEAR();
        PMPI_Scatter(in, n, h, rank == root ? MPI_IN_PLACE : expected, n, h, root, comm);
        MPI_Scatter(in, n, h, rank == root ? MPI_IN_PLACE : out, n, h, root, comm);
        check(memcmp(out, expected, whole) == 0, "MPI_Scatter in place", name, n);
    }
    CLEAR();
    PMPI_Allgather(in, n, h, expected, n, h, comm);
    MPI_Allgather(in, n, h, out, n, h, comm);
    check(memcmp(out, expected, whole) == 0, "MPI_Allgather", name, n);
    memcpy(out, in, whole), memcpy(expected, in, whole);
    PMPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, expected, n, h, comm);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, out, n, h, comm);
    check(memcmp(out, expected, whole) == 0, "MPI_Allgather in place", name, n);

    for (int backwards = 0; backwards != 3; ++backwards) { /* 2: with gaps */
        memset(parts, 0, sizeof parts);
        for (int i = 0; i < n; i += 1 + (backwards == 2)) { ++parts[i * i % size]; }
        int at = backwards == 2 ? 1 : 0;
        for (int r = 0; r != size; ++r) {
            int const which = backwards == 1 ? size - 1 - r : r;
            places[which] = at;
            at += parts[which] + (backwards == 2 && n > 3 * size ? 1 : 0);
        }
        if (at > n * size) { continue; }
        CLEAR();
        PMPI_Gatherv(in, parts[rank], h, expected, parts, places, h, root, comm);
        MPI_Gatherv(in, parts[rank], h, out, rank == root ? parts : NULL, rank == root ? places : NULL, h, root, comm);
        check(memcmp(out, expected, whole) == 0, "MPI_Gatherv", name, n);
        memcpy(out, in, whole), memcpy(expected, in, whole);
        PMPI_Gatherv(rank == root ? MPI_IN_PLACE : in, parts[rank], h, expected, parts, places, h, root, comm);
        MPI_Gatherv(rank == root ? MPI_IN_PLACE : in, parts[rank], h, out, parts, places, h, root, comm);
        check(memcmp(out, expected, whole) == 0, "MPI_Gatherv in place", name, n);
        CLEAR();
        PMPI_Scatterv(in, parts, places, h, expected, parts[rank], h, root, comm);
        MPI_Scatterv(rank == root ? in : NULL, rank == root ? parts : NULL, rank == root ? places : NULL, h, out,
                     parts[rank], h, root, comm);
        check(memcmp(out, expected, whole) == 0, "MPI_Scatterv", name, n);
        CLEAR();
        PMPI_Scatterv(in, parts, places, h, rank == root ? MPI_IN_PLACE : expected, parts[rank], h, root, comm);
        MPI_Scatterv(in, parts, places, h, rank == root ? MPI_IN_PLACE : out, parts[rank], h, root, comm);
        check(memcmp(out, expected, whole) == 0, "MPI_Scatterv in place", name, n);
        CLEAR();
        PMPI_Allgatherv(in, parts[rank], h, expected, parts, places, h, comm);
        MPI_Allgatherv(in, parts[rank], h, out, parts, places, h, comm);
        check(memcmp(out, expected, whole) == 0, "MPI_Allgatherv", name, n);
        memcpy(out, in, whole), memcpy(expected, in, whole);
        PMPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, expected, parts, places, h, comm);
        MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, out, parts, places, h, comm);
        check(memcmp(out, expected, whole) == 0, "MPI_Allgatherv in place", name, n);
    }
}

/* ---- user's operators -------------------------------------------------------------------------------------------- */

/* Affine maps modulo 251, two ints each: a type of the user's, and an operator that does not commute. */
static void compose(void* left, void* inout, int* n, MPI_Datatype* type) {
    int const* a = (int const*)left;
    int* b = (int*)inout;
    (void)type;
    for (int i = 0; i != *n; ++i, a += 2, b += 2) {
        b[1] = (a[0] * b[1] + a[1]) % 251;
        b[0] = a[0] * b[0] % 251;
    }
}

/* The same where an int lies between the two, and another one behind them. */
static void compose_with_gaps(void* left, void* inout, int* n, MPI_Datatype* type) {
    int const* a = (int const*)left;
    int* b = (int*)inout;
    (void)type;
    for (int i = 0; i != *n; ++i, a += 4, b += 4) {
        b[2] = (a[0] * b[2] + a[2]) % 251;
        b[0] = a[0] * b[0] % 251;
    }
}

static void add_ints(void* left, void* inout, int* n, MPI_Datatype* type) {
    (void)type;
    for (int i = 0; i != *n; ++i) { ((int*)inout)[i] += ((int*)left)[i]; }
}

static void users(int n) {
    struct type t = {MPI_DATATYPE_NULL, "two ints", INTS, 'i'};
    MPI_Type_contiguous(2, MPI_INT, &t.handle);
    MPI_Type_commit(&t.handle);
    MPI_Op op;
    MPI_Op_create(compose, 0, &op);
    reductions(&t, op, "a user's operator", n);
    MPI_Op_free(&op);
    MPI_Type_free(&t.handle);
    MPI_Datatype apart;
    MPI_Type_vector(2, 1, 2, MPI_INT, &apart);
    struct type with_gaps = {MPI_DATATYPE_NULL, "two ints with gaps", INTS, 'i'};
    MPI_Type_create_resized(apart, 0, 4 * (MPI_Aint)sizeof(int), &with_gaps.handle);
    MPI_Type_commit(&with_gaps.handle);
    MPI_Op_create(compose_with_gaps, 0, &op);
    reductions(&with_gaps, op, "a user's operator", n);
    MPI_Op_free(&op);
    MPI_Type_free(&with_gaps.handle);
    MPI_Type_free(&apart);
    MPI_Op_create(add_ints, 1, &op);
    struct type ints = {MPI_INT, "int", INTEGER, 'i'};
    reductions(&ints, op, "a user's sum", n);
    MPI_Op_free(&op);
}

/* ---- errors ------------------------------------------------------------------------------------------------------ */

#ifdef OPEN_MPI
static int class_of(int code) {
    int result = MPI_SUCCESS;
    MPI_Error_class(code, &result);
    return result;
}
#endif

static void errors(void) {
    MPI_Comm comm;
    int x = 1;
    int y = 0;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
#ifdef OPEN_MPI /* Debian's MPICH is built without checks of arguments, and crashes */
    double d[2] = {1, 2};
    double e[2];
#define SAME(call, of) check(class_of(MPI_##call) != MPI_SUCCESS && class_of(MPI_##call) == class_of(PMPI_##call), #call, of, 1)
    SAME(Bcast(&x, 1, MPI_INT, size, comm), "a wrong root");
    SAME(Reduce(&x, &y, 1, MPI_INT, MPI_SUM, -5, comm), "a wrong root");
    SAME(Gather(&x, 1, MPI_INT, &y, 1, MPI_INT, size, comm), "a wrong root");
    SAME(Scatter(&x, 1, MPI_INT, &y, 1, MPI_INT, size, comm), "a wrong root");
    SAME(Allreduce(&x, &y, -1, MPI_INT, MPI_SUM, comm), "a wrong count");
    SAME(Allreduce(&x, &y, 1, MPI_DATATYPE_NULL, MPI_SUM, comm), "no type");
    SAME(Allreduce(&x, &y, 1, MPI_INT, MPI_OP_NULL, comm), "no operator");
    SAME(Allreduce(d, e, 2, MPI_DOUBLE, MPI_BXOR, comm), "bits of doubles");
    SAME(Exscan(d, e, 2, MPI_DOUBLE, MPI_MAXLOC, comm), "places of doubles");
    SAME(Scan(&x, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, comm), "the result in place");
    check(class_of(MPI_Bcast(&x, 1, MPI_INT, size, comm)) == MPI_ERR_ROOT, "MPI_Bcast", "a wrong root", 1);
#endif
    check(MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_SUM, comm) == MPI_SUCCESS && y == size, "MPI_Allreduce", "after errors", 1);
    check(MPI_Allreduce(NULL, NULL, 0, MPI_INT, MPI_SUM, comm) == MPI_SUCCESS, "MPI_Allreduce", "nothing", 0);
    check(MPI_Bcast(NULL, 0, MPI_INT, 0, comm) == MPI_SUCCESS, "MPI_Bcast", "nothing", 0);
    MPI_Comm_free(&comm);
}

/* Two halves of the ranks, which are left to MPI. */
static void intercommunicators(void) {
    if (size < 2) { return; }
    MPI_Comm half, inter;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 9, &inter);
    int one = 1, sum = 0, remote = 0;
    MPI_Comm_remote_size(inter, &remote);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, inter);
    check(sum == remote, "MPI_Allreduce", "an intercommunicator", 1);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, half);
    check(sum == (size + 1 - rank % 2) / 2, "MPI_Allreduce", "half of the ranks", 1);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    size_t const most = (size_t)1 << 24;
    in = malloc(most), out = malloc(most), expected = malloc(most), both = malloc(most);
    list_types();
    unsigned const numbers = ON(INTEGER) | ON(FORTRAN_INTEGER) | ON(FLOATING);
    struct operator const operators[] = {
        {MPI_SUM, "sum", numbers | ON(COMPLEX)}, {MPI_PROD, "product", numbers | ON(COMPLEX)},
        {MPI_MAX, "maximum", numbers}, {MPI_MIN, "minimum", numbers},
        {MPI_LAND, "logical and", ON(INTEGER) | ON(LOGICAL)}, {MPI_LOR, "logical or", ON(INTEGER) | ON(LOGICAL)},
        {MPI_LXOR, "logical xor", ON(INTEGER) | ON(LOGICAL)},
        {MPI_BAND, "bits and", ON(INTEGER) | ON(FORTRAN_INTEGER) | ON(BYTE)}, {MPI_BOR, "bits or", ON(INTEGER) | ON(FORTRAN_INTEGER) | ON(BYTE)},
        {MPI_BXOR, "bits xor", ON(INTEGER) | ON(FORTRAN_INTEGER) | ON(BYTE)},
        {MPI_MINLOC, "minloc", ON(PAIR)}, {MPI_MAXLOC, "maxloc", ON(PAIR)}};
    int const lengths[] = {1, 7, 1003};
    for (int l = 0; l != 3; ++l) {
        for (int t = 0; t != number_of_types; ++t) {
            for (size_t o = 0; o != sizeof operators / sizeof *operators; ++o) {
                if ((operators[o].kinds & ON(types[t].kind)) != 0 && types[t].code != 'c') {
                    reductions(&types[t], operators[o].handle, operators[o].name, lengths[l]);
                }
            }
            moves(types[t].handle, types[t].name, lengths[l]);
        }
        users(lengths[l]);
    }
    users(50000);
    /* every second int of three, and one that begins after its address */
    MPI_Datatype gaps, later;
    MPI_Type_vector(2, 1, 2, MPI_INT, &gaps);
    MPI_Type_commit(&gaps);
    int const one = 1, there = 2;
    MPI_Type_indexed(1, &one, &there, MPI_INT, &later);
    MPI_Type_commit(&later);
    for (int l = 0; l != 3; ++l) {
        moves(gaps, "a type with gaps", lengths[l]);
    }
    MPI_Type_free(&gaps);
    MPI_Type_free(&later);
    errors();
    intercommunicators();
    MPI_Barrier(MPI_COMM_WORLD);
    int all = 0;
    PMPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) { printf("%ld checks on each of %d ranks, %d failed\n", checks, size, all); }
    MPI_Finalize();
    return all != 0;
}
