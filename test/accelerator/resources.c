/* Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0. */

/* Each thing that the accelerator takes from MPI or the system is refused to rank 1 in turn, which takes part in the call all
   the same: results are right, by another way. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

#include <mpi.h>

enum { most = 1 << 15, calls = 60 };

enum resource { nothing, communicators, keys, splits, windows, room, resources };
static char const* const names[] = {"nothing", "MPI_Comm_create", "MPI_Comm_create_keyval",
                                    "MPI_Comm_split_type", "MPI_Win_allocate_shared", "statvfs"};
static enum resource refused = nothing;
static int refusals = 0, rank = 0;

static int refuses(enum resource which) {
    if (which != refused || rank != 1) { return 0; }
    ++refusals;
    return 1;
}

int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm* made) {
    int const code = PMPI_Comm_create(comm, group, made);
    return refuses(communicators) ? MPI_ERR_OTHER : code;
}
int MPI_Comm_create_keyval(MPI_Comm_copy_attr_function* copy, MPI_Comm_delete_attr_function* end, int* key, void* extra) {
    return refuses(keys) ? MPI_ERR_OTHER : PMPI_Comm_create_keyval(copy, end, key, extra);
}
int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* made) {
    int const code = PMPI_Comm_split_type(comm, type, key, info, made);
    return refuses(splits) ? MPI_ERR_OTHER : code;
}
int MPI_Win_allocate_shared(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void* memory, MPI_Win* win) {
    int const code = PMPI_Win_allocate_shared(size, unit, info, comm, memory, win);
    return refuses(windows) ? MPI_ERR_OTHER : code;
}
int statvfs(char const* path, struct statvfs* about) {
    static int (*next)(char const*, struct statvfs*);
    if (next == NULL) { *(void**)&next = dlsym(RTLD_NEXT, "statvfs"); }
    int const code = next(path, about);
    if (strcmp(path, "/dev/shm") == 0 && refuses(room)) { about->f_bavail = 0; }
    return code;
}
static int call(MPI_Comm comm) {
    static double in[most], out[most];
    int wrong = 0, size = 0, own = 0;
    MPI_Comm_size(comm, &size);
    MPI_Comm_rank(comm, &own);
    for (int k = 0; k != calls; ++k) {
        int const n = k % 3 == 0 ? 1 : k % 3 == 1 ? 1 << 12 : most;
        MPI_Request request;
        in[n - 1] = own + k;
        out[n - 1] = -1;
        MPI_Allreduce(in, out, n, MPI_DOUBLE, MPI_SUM, comm);
        wrong += out[n - 1] != size * (size - 1) / 2 + size * k;
        MPI_Ibcast(in, n, MPI_DOUBLE, size - 1, comm, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        wrong += in[n - 1] != size - 1 + k;
    }
    return wrong;
}

int main(int argc, char* argv[]) {
    int wrong = 0, provided = 0;
    enum resource const from = argc > 1 ? (enum resource)atoi(argv[1]) : nothing;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    refused = from;
    wrong += call(MPI_COMM_WORLD);
    for (int i = 0; i != resources; ++i) {
        MPI_Comm one;
        refused = (enum resource)i;
        PMPI_Comm_dup(MPI_COMM_WORLD, &one);
        wrong += call(one);
        MPI_Comm_free(&one);
    }
    if (rank == 1) { printf("%d refusals, the first by %s\n", refusals, names[from]); }
    if (wrong != 0) { printf("%d wrong\n", wrong); }
    refused = nothing;
    MPI_Finalize();
    return wrong != 0;
}
