/* Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
 *
 * Memory of a device, without one: this program stands in for CUDA's driver, and keeps what it calls a device's memory
 * protected, so that nothing but the driver can read or write it. Without TUTTI=all it says that MPI takes such memory and
 * gives MPI none: then every call is left to MPI. */
#define _DEFAULT_SOURCE
#include <mpi.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static int failures = 0;
static char* device;
static size_t const device_bytes = 1 << 24;
static char* device_end;
static int uses_device = 0;
static int copies = 0;

static int is_device(uintptr_t p) { return p >= (uintptr_t)device && p < (uintptr_t)device + device_bytes; }

/* ---- the driver ---- */

static int attribute(int which, uintptr_t p, void* answer) {
    if (which == 1) { *(void**)answer = device; }                    /* context */
    if (which == 2) { *(unsigned*)answer = is_device(p) ? 2u : 1u; } /* kind of memory */
    if (which == 8) { *(unsigned*)answer = 0; }                      /* managed */
    return device == NULL;
}
int cuPointerGetAttribute(void* answer, int which, uintptr_t p) { return attribute(which, p, answer); }
int cuPointerGetAttributes(unsigned n, int* which, void** answers, uintptr_t p) {
    int code = 0;
    for (unsigned i = 0; i != n; ++i) { code |= attribute(which[i], p, answers[i]); }
    return code;
}
int cuCtxGetCurrent(void** context) {
    *context = uses_device ? device : NULL;
    return 0;
}
int cuCtxSetCurrent(void* context) { return context == NULL; }
int cuMemcpy(uintptr_t to, uintptr_t from, size_t bytes) {
    mprotect(device, device_bytes, PROT_READ | PROT_WRITE);
    memmove((void*)to, (void*)from, bytes);
    mprotect(device, device_bytes, PROT_NONE);
    ++copies;
    return 0;
}
int cuStreamSynchronize(void* stream) { return stream != NULL; }
int MPIX_Query_cuda_support(void) { return 1; }

/* ---- the program ---- */

static double* on_device(double const* from, int n) {
    double* result = (double*)(void*)device_end;
    device_end += n * sizeof(double);
    cuMemcpy((uintptr_t)result, (uintptr_t)from, n * sizeof(double));
    return result;
}

static void check(char const* name, double const* result, double const* expected, int n) {
    double* host = malloc(n * sizeof *host);
    cuMemcpy((uintptr_t)host, (uintptr_t)result, n * sizeof *host);
    if (memcmp(host, expected, n * sizeof *host) != 0 && ++failures < 20) { fprintf(stderr, "%s: wrong\n", name); }
    free(host);
    device_end = device;
}

static void call_all(int n, MPI_Comm comm) {
    int rank = 0, size = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    int const all = n * size;
    double* in = malloc(all * sizeof *in);
    double* out = malloc(all * sizeof *out);
    for (int i = 0; i != all; ++i) { in[i] = rank + i; }
#define CALL(name, count, call_with)                                                                                   \
    do {                                                                                                               \
        double const* from = in;                                                                                       \
        double* to = out;                                                                                              \
        memset(out, 0, all * sizeof *out);                                                                             \
        from = on_device(in, all);                                                                                     \
        to = on_device(out, all);                                                                                      \
        memset(out, 0, all * sizeof *out);                                                                             \
        cuMemcpy((uintptr_t)to, (uintptr_t)out, all * sizeof *out);                                                    \
        call_with;                                                                                                     \
        from = in;                                                                                                     \
        double* const result = to;                                                                                     \
        to = out;                                                                                                      \
        P##call_with;                                                                                                  \
        (void)from;                                                                                                    \
        check(name, result, out, count);                                                                               \
    } while (0)
    CALL("MPI_Allreduce", n, MPI_Allreduce(from, to, n, MPI_DOUBLE, MPI_SUM, comm));
    CALL("MPI_Reduce", rank == 0 ? n : 0, MPI_Reduce(from, to, n, MPI_DOUBLE, MPI_MAX, 0, comm));
    CALL("MPI_Scan", n, MPI_Scan(from, to, n, MPI_DOUBLE, MPI_SUM, comm));
    CALL("MPI_Exscan", rank == 0 ? 0 : n, MPI_Exscan(from, to, n, MPI_DOUBLE, MPI_SUM, comm));
    CALL("MPI_Reduce_scatter_block", n, MPI_Reduce_scatter_block(from, to, n, MPI_DOUBLE, MPI_MIN, comm));
    CALL("MPI_Allgather", all, MPI_Allgather(from, n, MPI_DOUBLE, to, n, MPI_DOUBLE, comm));
    CALL("MPI_Gather", rank == 0 ? all : 0, MPI_Gather(from, n, MPI_DOUBLE, to, n, MPI_DOUBLE, 0, comm));
    CALL("MPI_Scatter", n, MPI_Scatter(from, n, MPI_DOUBLE, to, n, MPI_DOUBLE, 0, comm));
    CALL("MPI_Bcast", n, MPI_Bcast(to, n, MPI_DOUBLE, 0, comm));
    /* one rank's memory is the host's */
    for (int i = 0; i != n; ++i) { out[i] = 0; }
    double* const mixed = rank == 0 ? out : on_device(out, n);
    MPI_Allreduce(in, mixed, n, MPI_DOUBLE, MPI_SUM, comm);
    double* const expected = malloc(n * sizeof *expected);
    PMPI_Allreduce(in, expected, n, MPI_DOUBLE, MPI_SUM, comm);
    check("MPI_Allreduce, mixed", mixed, expected, n);
    free(expected);
    free(in);
    free(out);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char const* const says = getenv("TUTTI");
    device = mmap(NULL, device_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    device_end = device;
    uses_device = rank == 0;
    if (says != NULL && strncmp(says, "all", 3) == 0) {
        for (int n = 1; n < 200000; n *= 9) { call_all(n, MPI_COMM_WORLD); }
        if (copies == 0) { ++failures; }
    } else {
        enum { n = 1 << 13 };
        double* both = calloc(n, sizeof *both);
        for (int i = 0; i != 300; ++i) { MPI_Allreduce(MPI_IN_PLACE, both, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); }
        free(both);
    }
    MPI_Allreduce(MPI_IN_PLACE, &failures, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return failures != 0;
}
