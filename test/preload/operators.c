/* Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
 *
 * Operators of the user's under the accelerator (LD_PRELOAD) that take the whole vector for one thing, keep scratch
 * memory between calls, and need what only the thread of the call has: the product of matrices, and sorted lists that
 * are merged into the smallest. They are right by MPI alone. With TUTTI=cut it is shown that they are given parts of
 * the vector. */
#include <support/check.h>

enum { most = 128, modulus = 251, most_in_a_list = most * most };
static int parts = 0, elsewhere = 0;
static MPI_Datatype element;
static _Thread_local int side = 0; /* of a matrix; known to the thread that makes the calls */
static int scratch[most * most];   /* of one call at a time */
static int in[8 * most * most], out[8 * most * most], expected[most * most];

/* right = left right, of a matrix, or of several one after the other. */
static void multiply(int const* left, int* right, int n) {
    for (int i = 0; i != n; ++i) {
        for (int j = 0; j != n; ++j) {
            int sum = 0;
            for (int k = 0; k != n; ++k) { sum += left[i * n + k] * right[k * n + j]; }
            scratch[i * n + j] = sum % modulus;
        }
    }
    memcpy(right, scratch, (size_t)n * (size_t)n * sizeof *right);
}
static int is_misused(int length, MPI_Datatype type) {
    check(type == element, "an operator is given another type, %d elements", length);
    if (side == 0) { return ++elsewhere; } /* another thread calls it */
    return length % (side * side) != 0 ? ++parts : 0;
}
static void product(void* left, void* inout, int* length, MPI_Datatype* type) {
    int const whole = side * side;
    if (is_misused(*length, *type)) { return; }
    for (int first = 0; first != *length; first += whole) { multiply((int*)left + first, (int*)inout + first, side); }
}

/* inout = the smallest of both lists, sorted. */
static void smallest(void* left, void* inout, int* length, MPI_Datatype* type) {
    int const *a = left, *b = inout;
    if (is_misused(*length, *type)) { return; }
    for (int i = 0; i != *length; ++i) { scratch[i] = *a < *b ? *a++ : *b++; }
    memcpy(inout, scratch, (size_t)*length * sizeof *scratch);
}

/* ---- operands and results ---------------------------------------------------------------------------------------- */

static int cuts = 0; /* results are wrong then */
static int lists = 0;
static int operand(int of, int part, int i) {
    if (lists) { return i * 10 + (of * 7 + i * 3) % 10; } /* sorted; equal neither on a rank nor between ranks */
    return (i * 7 + of * 31 + part * 13 + i / side * (of + 1)) % modulus;
}
static int compare(void const* a, void const* b) { return *(int const*)a - *(int const*)b; }
static void expect(int ranks, int part) {
    int const n = side * side;
    static int all[8 * most_in_a_list];
    if (lists) {
        for (int r = 0; r != ranks; ++r) {
            for (int i = 0; i != n; ++i) { all[r * n + i] = operand(r, part, i); }
        }
        qsort(all, (size_t)(ranks * n), sizeof *all, compare);
        memcpy(expected, all, (size_t)n * sizeof *expected);
        return;
    }
    for (int i = 0; i != n; ++i) { expected[i] = operand(ranks - 1, part, i); }
    for (int r = ranks - 1; r-- != 0;) {
        for (int i = 0; i != n; ++i) { all[i] = operand(r, part, i); }
        multiply(all, expected, side);
    }
}
static void begin(int n) {
    for (int i = 0; i != n; ++i) { in[i] = operand(rank, i / (side * side), i % (side * side)); }
    memcpy(out, in, (size_t)n * sizeof *out);
}
static void end(char const* what, int ranks, int part) {
    int const n = side * side;
    expect(ranks, part);
    check(cuts || memcmp(out, expected, (size_t)n * sizeof *out) == 0, "%s, %d elements", what, n);
}

static void calls(MPI_Op op, int may_scatter) {
    MPI_Comm const comm = MPI_COMM_WORLD;
    int const n = side * side, root = side % size;
    MPI_Request request;
#define CALL(name, is_due, ranks, ...)                                                                                 \
    begin(n);                                                                                                          \
    MPI_##name(__VA_ARGS__);                                                                                           \
    if (is_due) { end("MPI_" #name, ranks, 0); }
    CALL(Allreduce, 1, size, in, out, n, element, op, comm)
    CALL(Allreduce, 1, size, MPI_IN_PLACE, out, n, element, op, comm)
    CALL(Reduce, rank == root, size, in, out, n, element, op, root, comm)
    CALL(Scan, 1, rank + 1, in, out, n, element, op, comm)
    CALL(Exscan, rank != 0, rank, in, out, n, element, op, comm)
    CALL(Iallreduce, MPI_Wait(&request, MPI_STATUS_IGNORE) == 0, size, in, out, n, element, op, comm, &request)
    if (may_scatter) { /* the parts are things of their own */
        begin(n * size);
        MPI_Reduce_scatter_block(in, out, n, element, op, comm);
        end("MPI_Reduce_scatter_block", size, rank);
    }
}

/* Of eight matrices on each rank, by an operator that knows nothing of where they begin. */
static void sum(void* left, void* inout, int* length, MPI_Datatype* type) {
    (void)type;
    for (int i = 0; i != *length; ++i) { ((int*)inout)[i] += ((int*)left)[i]; }
}
static void sums(void) {
    MPI_Op op;
    int const n = 8 * most * most;
    MPI_Op_create(sum, 1, &op);
    for (int i = 0; i != n; ++i) { in[i] = i + rank; }
    MPI_Allreduce(in, out, n, MPI_INT, op, MPI_COMM_WORLD);
    for (int i = 0; i != n; ++i) {
        if (!check(cuts || out[i] == i * size + sum_below(size), "MPI_Allreduce of sums, element %d", i)) { break; }
    }
    MPI_Op_free(&op);
}

static void run_all(void) {
    int const sides[] = {1, 4, 40, most};
    MPI_Op op;
    for (int s = 0; s != 4; ++s) {
        side = sides[s];
        for (int repeat = 0; repeat != (side == most ? 3 : 10); ++repeat) { /* memory is shared once it pays */
            lists = 0;
            MPI_Op_create(product, 0, &op);
            calls(op, 1);
            MPI_Op_free(&op);
            lists = 1;
#ifdef OPEN_MPI /* whose own cuts the vector if it is told that the operator commutes */
            MPI_Op_create(smallest, 0, &op);
#else
            MPI_Op_create(smallest, 1, &op);
#endif
            calls(op, 0);
            MPI_Op_free(&op);
        }
    }
}

int main(int argc, char** argv) {
    char const* const says = getenv("TUTTI");
    int misuses[2] = {0, 0};
    cuts = says != NULL && strstr(says, "cut") != NULL;
    begin_mpi(&argc, &argv);
    MPI_Type_dup(MPI_INT, &element);
    MPI_Type_commit(&element);
    run_all();
    sums();
    MPI_Type_free(&element);
    PMPI_Allreduce((int const[]){parts, elsewhere}, misuses, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("on %d ranks %d operators were given parts, %d in another thread\n", size, misuses[0], misuses[1]);
    }
    check(cuts || misuses[0] + misuses[1] == 0, "an operator is given parts, or called by another thread");
    return end_mpi();
}
