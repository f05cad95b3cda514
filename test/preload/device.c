/* Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
 *
 * Memory of a device, without one: this program stands in for CUDA's driver, and keeps what it calls a device's memory
 * protected, so that nothing but the driver can read or write it. Without TUTTI=all! it says that MPI takes such memory
 * and gives MPI none: then every call is left to MPI. */
#include <support/check.h>

#include <sys/mman.h>

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
    double* const result = (double*)(void*)device_end;
    device_end += n * sizeof(double);
    cuMemcpy((uintptr_t)result, (uintptr_t)from, n * sizeof(double));
    return result;
}

static void call_all(int n) {
    int const all = n * size;
    double* const in = malloc(all * sizeof *in);
    double* const out = malloc(all * sizeof *out);
    enum collective const which[] = {Allreduce, Reduce, Scan,    Exscan, Reduce_scatter_block,
                                     Allgather, Gather, Scatter, Bcast};
    MPI_Op const ops[9] = {MPI_SUM, MPI_MAX, MPI_SUM, MPI_SUM, MPI_MIN};
    for (int i = 0; i != 10; ++i) {
        struct call const host = {which[i % 9], n, 0, i, MPI_COMM_WORLD, MPI_DOUBLE, ops[i % 9], in, out};
        struct call there = host;
        fill_call(&host);
        if (i != 9) { there.in = on_device(in, all); } /* at last only other ranks' results are the device's */
        if (i != 9 || rank != 0) { there.out = on_device(out, all); }
        perform(&there);
        if (there.out != out) { cuMemcpy((uintptr_t)out, (uintptr_t)there.out, all * sizeof *out); }
        check_result(&host, there.out == out ? ", mixed" : "");
        device_end = device;
    }
    free(in);
    free(out);
}

int main(int argc, char** argv) {
    char const* const says = getenv("TUTTI");
    begin_mpi(&argc, &argv);
    device = mmap(NULL, device_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    device_end = device;
    uses_device = rank == 0;
    if (says != NULL && strncmp(says, "all!", 4) == 0) {
        for (int n = 1; n < 200000; n *= 9) { call_all(n); }
        check(copies != 0, "nothing is copied");
    } else {
        static double both[1 << 13];
        for (int i = 0; i != 300; ++i) {
            MPI_Allreduce(MPI_IN_PLACE, both, 1 << 13, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        }
    }
    return end_mpi();
}
