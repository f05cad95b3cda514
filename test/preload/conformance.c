/* Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
 *
 * MPI's collectives under the accelerator (LD_PRELOAD, TUTTI=all!) against the same by the profiling interface: every
 * predefined operator with every predefined type for which it is meant, user's operators, derived types, in place and
 * not, zero counts, errors. Values are small whole numbers, so that no order of the operands changes a bit. */
#include <support/check.h>

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
    int bytes = 0;
    if (handle != MPI_DATATYPE_NULL) { MPI_Type_size(handle, &bytes); }
    if (bytes != 0) { types[number_of_types++] = (struct type){handle, name, kind, code}; }
}
#define ADD(handle, kind, code) add(handle, #handle, kind, code)

static void list_types(void) {
    ADD(MPI_CHAR, BYTE, 'c'); /* no operator of the standard: moved only */
#define ADD_INTEGER(handle) ADD(handle, INTEGER, 'i');
    ADD_INTEGER(MPI_SIGNED_CHAR) ADD_INTEGER(MPI_UNSIGNED_CHAR) ADD_INTEGER(MPI_SHORT) ADD_INTEGER(MPI_UNSIGNED_SHORT)
    ADD_INTEGER(MPI_INT) ADD_INTEGER(MPI_UNSIGNED) ADD_INTEGER(MPI_LONG) ADD_INTEGER(MPI_UNSIGNED_LONG)
    ADD_INTEGER(MPI_LONG_LONG) ADD_INTEGER(MPI_UNSIGNED_LONG_LONG) ADD_INTEGER(MPI_INT8_T) ADD_INTEGER(MPI_INT16_T)
    ADD_INTEGER(MPI_INT32_T) ADD_INTEGER(MPI_INT64_T) ADD_INTEGER(MPI_UINT8_T) ADD_INTEGER(MPI_UINT16_T)
    ADD_INTEGER(MPI_UINT32_T) ADD_INTEGER(MPI_UINT64_T)
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

static void write_number(char* to, char code, int bytes, int value) {
    float f = (float)value;
    double d = value;
    long double l = value;
    long long i = value;
    short s = (short)value;
    switch (code) {
    case 'f': memcpy(to, &f, sizeof f); break;
    case 'd': memcpy(to, &d, sizeof d); break;
    case 'l': memcpy(to, &l, 10); break;
    case 's': memcpy(to, &s, sizeof s); break;
    case 'L': memcpy(to, &i, sizeof(long)); break;
    default: memcpy(to, &i, (size_t)bytes); /* little-endian */
    }
}
/* Where the second part of a pair, or of a complex number, begins, and how many bytes of the first one mean something.
   */
static int second_part(char code) { return code == 'd' || code == 'L' ? 8 : code == 'l' ? 16 : 4; }
static size_t first_part(char code) { return code == 'd' || code == 'L' ? 8 : code == 'l' ? 10 : code == 's' ? 2 : 4; }

static MPI_Aint extent_of(MPI_Datatype type) {
    MPI_Aint lower, extent;
    MPI_Type_get_extent(type, &lower, &extent);
    return extent;
}

/* Small numbers that differ between ranks and elements; products stay small too. */
static void write_elements(char* memory, struct type const* t, int n, int of) {
    int bytes;
    MPI_Type_size(t->handle, &bytes);
    MPI_Aint const extent = extent_of(t->handle);
    memset(memory, 0, (size_t)n * (size_t)extent);
    for (int i = 0; i != n; ++i) {
        char* to = memory + i * extent;
        int const value = (i * 7 + of * 5) % 3 == 0 ? 2 : (i + of) % 2;
        if (t->kind == PAIR) {
            int const index = of * 100 + i % 10;
            write_number(to, t->code, 4, value);
            memcpy(to + second_part(t->code), &index, sizeof index);
        } else if (t->kind == COMPLEX) {
            write_number(to, t->code, 0, value);
            write_number(to + second_part(t->code), t->code, 0, 1 - value);
        } else if (t->kind == INTS) {
            for (int k = 0; k * 4 != extent; ++k) {
                write_number(to + k * 4, 'i', 4, 1 + (i * 7 + of * 31 + k * 5) % 250);
            }
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
    size_t const bytes = t->kind == PAIR || t->code == 'l' ? first_part(t->code) : (size_t)extent;
    int const second = second_part(t->code);
    for (int i = 0; i != n; ++i, a += extent, b += extent) {
        if (memcmp(a, b, bytes) != 0) { return 0; }
        if (t->kind == PAIR && memcmp(a + second, b + second, 4) != 0) { return 0; }
    }
    return 1;
}

/* ---- reductions -------------------------------------------------------------------------------------------------- */

enum { room = 1 << 24 };
static char in[room], out[room], expected[room], both[room];
static int parts[64];

static void reductions(struct type const* t, MPI_Op op, char const* name, int n) {
    MPI_Comm const comm = MPI_COMM_WORLD;
    MPI_Datatype const h = t->handle;
    size_t const bytes = (size_t)n * (size_t)extent_of(h);
    int const root = (n + 1) % size, block = n / size;
    char* to;
    write_elements(in, t, n, rank);
    /* By MPI itself, and as it comes, where what lies in gaps is to stay; and in place. */
#define BOTH(function, holds, ...)                                                                                     \
    if (t->kind == INTS) {                                                                                             \
        memcpy(out, in, bytes), memcpy(expected, in, bytes);                                                           \
    } else {                                                                                                           \
        memset(out, 0x55, bytes), memset(expected, 0x55, bytes);                                                       \
    }                                                                                                                  \
    to = expected;                                                                                                     \
    PMPI_##function(__VA_ARGS__, comm);                                                                                \
    to = out;                                                                                                          \
    MPI_##function(__VA_ARGS__, comm);                                                                                 \
    check(holds, "MPI_" #function ", %s of %s, %d elements", name, t->name, n)
#define IN_PLACE(function, holds, ...)                                                                                 \
    memcpy(both, in, bytes);                                                                                           \
    MPI_##function(__VA_ARGS__, comm);                                                                                 \
    check(holds, "MPI_" #function " in place, %s of %s, %d elements", name, t->name, n)
    BOTH(Allreduce, same(out, expected, t, n), in, to, n, h, op);
    IN_PLACE(Allreduce, same(both, expected, t, n), MPI_IN_PLACE, both, n, h, op);
    BOTH(Reduce, rank == root ? same(out, expected, t, n) : memcmp(out, expected, bytes) == 0, in, to, n, h, op, root);
    IN_PLACE(Reduce, same(both, rank == root ? expected : in, t, n), rank == root ? MPI_IN_PLACE : both,
             rank == root ? both : NULL, n, h, op, root);
    BOTH(Scan, same(out, expected, t, n), in, to, n, h, op);
    IN_PLACE(Scan, same(both, expected, t, n), MPI_IN_PLACE, both, n, h, op);
    BOTH(Exscan, rank == 0 ? memcmp(out, expected, bytes) == 0 : same(out, expected, t, n), in, to, n, h, op);
    /* what rank 0 gives for a result is not significant; MPICH's own asks for it on a single rank */
    MPI_Exscan(in, rank == 0 && size > 1 ? NULL : out, n, h, op, comm);
    check(rank == 0 || same(out, expected, t, n), "MPI_Exscan, no result on rank 0, %s of %s", name, t->name);
    IN_PLACE(Exscan, rank == 0 ? memcmp(both, in, bytes) == 0 : same(both, expected, t, n), MPI_IN_PLACE, both, n, h,
             op);
    memset(parts, 0, sizeof parts);
    for (int i = 0; i != n; ++i) { ++parts[i * i % size]; }
    size_t const own = (size_t)parts[rank] * (size_t)extent_of(h);
    BOTH(Reduce_scatter, same(out, expected, t, parts[rank]), in, to, parts, h, op);
    IN_PLACE(Reduce_scatter, same(both, expected, t, parts[rank]), MPI_IN_PLACE, both, parts, h, op);
#ifdef OPEN_MPI /* whose own performs that of a user's operator which does not commute, and writes behind the result */
    if (t->kind != INTS)
#endif
    {
        check(memcmp(both + own, in + own, bytes - own) == 0, "MPI_Reduce_scatter in place, behind it, %s of %s", name,
              t->name);
    }
#ifndef OPEN_MPI /* MPICH 4.0 writes outside its memory in MPI_Reduce_scatter_block where there are gaps */
    if (t->kind == INTS && extent_of(h) > 8) { return; }
#endif
    BOTH(Reduce_scatter_block, same(out, expected, t, block), in, to, block, h, op);
    IN_PLACE(Reduce_scatter_block, same(both, expected, t, block), MPI_IN_PLACE, both, block, h, op);
}

/* ---- data that is moved ------------------------------------------------------------------------------------------ */

static int places[64];

static void moves(MPI_Datatype h, char const* name, int n) {
    MPI_Comm const comm = MPI_COMM_WORLD;
    size_t const whole = (size_t)n * (size_t)extent_of(h) * (size_t)size;
    int const root = (n + 1) % size, is_root = rank == root;
    char* to;
    for (size_t i = 0; i != whole; ++i) { in[i] = (char)(i * 7 + (size_t)rank * 31); }
    /* By MPI itself, and as it comes: on memory that is cleared, or a copy of `in`. What is significant on the root
     * alone others do not give. */
#define CLEARED memset(out, 0x55, whole), memset(expected, 0x55, whole)
#define COPIED memcpy(out, in, whole), memcpy(expected, in, whole)
#define MOVE(memory, function, ...)                                                                                    \
    memory;                                                                                                            \
    to = expected;                                                                                                     \
    PMPI_##function(__VA_ARGS__, comm);                                                                                \
    to = out;                                                                                                          \
    MPI_##function(__VA_ARGS__, comm);                                                                                 \
    check(memcmp(out, expected, whole) == 0, "MPI_%s of %s, %d elements, " #memory, #function, name, n)
#define AT_ROOT(what, else_this) (is_root ? (what) : (else_this))
    MOVE(COPIED, Bcast, to, n, h, root);
#ifndef OPEN_MPI /* MPICH 4.0 truncates messages of its own MPI_Gather and MPI_Scatter where there are gaps */
    int bytes_of_data = 0;
    MPI_Type_size(h, &bytes_of_data);
    if (bytes_of_data == extent_of(h))
#endif
    {
        MOVE(CLEARED, Gather, in, n, h, AT_ROOT(to, NULL), n, AT_ROOT(h, MPI_DATATYPE_NULL), root);
        MOVE(COPIED, Gather, AT_ROOT(MPI_IN_PLACE, in), n, h, to, n, h, root);
        MOVE(CLEARED, Scatter, AT_ROOT(in, NULL), n, h, to, n, h, root);
        MOVE(CLEARED, Scatter, in, n, h, AT_ROOT(MPI_IN_PLACE, to), n, h, root);
    }
    MOVE(CLEARED, Allgather, in, n, h, to, n, h);
    MOVE(COPIED, Allgather, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, to, n, h);

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
        int const own = parts[rank];
        MOVE(CLEARED, Gatherv, in, own, h, to, AT_ROOT(parts, NULL), AT_ROOT(places, NULL), h, root);
        MOVE(COPIED, Gatherv, AT_ROOT(MPI_IN_PLACE, in), own, h, to, parts, places, h, root);
        MOVE(CLEARED, Scatterv, AT_ROOT(in, NULL), AT_ROOT(parts, NULL), AT_ROOT(places, NULL), h, to, own, h, root);
        MOVE(CLEARED, Scatterv, in, parts, places, h, AT_ROOT(MPI_IN_PLACE, to), own, h, root);
        MOVE(CLEARED, Allgatherv, in, own, h, to, parts, places, h);
        MOVE(COPIED, Allgatherv, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, to, parts, places, h);
    }
}

/* ---- user's operators -------------------------------------------------------------------------------------------- */

/* Of two ints, between which another one lies, and one behind them. */
static void compose_with_gaps(void* left, void* right, int* n, MPI_Datatype* type) {
    int const* a = left;
    int* b = right;
    (void)type;
    for (int i = 0; i != *n; ++i, a += 4, b += 4) { compose_map(a[0], a[2], &b[0], &b[2]); }
}

static void add_ints(void* left, void* inout, int* n, MPI_Datatype* type) {
    (void)type;
    for (int i = 0; i != *n; ++i) { ((int*)inout)[i] += ((int*)left)[i]; }
}

static void users(int n) {
    struct type t = {row_of(2, MPI_INT), "two ints", INTS, 'i'};
    MPI_Op op;
    MPI_Op_create(compose_maps, 0, &op); /* does not commute */
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
#define SAME(call, of)                                                                                                 \
    check(class_of(MPI_##call) != MPI_SUCCESS && class_of(MPI_##call) == class_of(PMPI_##call), of ": " #call)
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
    check(class_of(MPI_Bcast(&x, 1, MPI_INT, size, comm)) == MPI_ERR_ROOT, "MPI_Bcast from a wrong root");
#endif
    check(MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_SUM, comm) == MPI_SUCCESS && y == size, "MPI_Allreduce after errors");
    check(MPI_Allreduce(NULL, NULL, 0, MPI_INT, MPI_SUM, comm) == MPI_SUCCESS, "MPI_Allreduce of nothing");
    check(MPI_Bcast(NULL, 0, MPI_INT, 0, comm) == MPI_SUCCESS, "MPI_Bcast of nothing");
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
    check(sum == remote, "MPI_Allreduce on an intercommunicator");
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, half);
    check(sum == (size + 1 - rank % 2) / 2, "MPI_Allreduce on half of the ranks");
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
}

int main(int argc, char** argv) {
    begin_mpi(&argc, &argv);
    list_types();
    unsigned const numbers = ON(INTEGER) | ON(FORTRAN_INTEGER) | ON(FLOATING), logical = ON(INTEGER) | ON(LOGICAL);
    unsigned const bits = ON(INTEGER) | ON(FORTRAN_INTEGER) | ON(BYTE);
    struct operator const operators[] = {
        {MPI_SUM, "sum", numbers | ON(COMPLEX)}, {MPI_PROD, "product", numbers | ON(COMPLEX)},
        {MPI_MAX, "maximum", numbers}, {MPI_MIN, "minimum", numbers},
        {MPI_LAND, "logical and", logical}, {MPI_LOR, "logical or", logical}, {MPI_LXOR, "logical xor", logical},
        {MPI_BAND, "bits and", bits}, {MPI_BOR, "bits or", bits}, {MPI_BXOR, "bits xor", bits},
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
    MPI_Datatype gaps; /* every second int of three */
    MPI_Type_vector(2, 1, 2, MPI_INT, &gaps);
    MPI_Type_commit(&gaps);
    for (int l = 0; l != 3; ++l) { moves(gaps, "a type with gaps", lengths[l]); }
    MPI_Type_free(&gaps);
    errors();
    intercommunicators();
    MPI_Barrier(MPI_COMM_WORLD);
    return end_mpi();
}
