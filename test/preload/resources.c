/* Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0. */

/* What the accelerator takes from MPI or the system is refused to one rank alone, each function in turn, from its first
   use for a communicator on, from its second, and so on until there is no such use. The rank takes part in all calls
   the same: results are right, by another way. `resources NAME` refuses that one alone, and in the first calls of the
   process, too. */
#include <support/check.h>

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <sys/uio.h>

enum { most = 1 << 15, calls = 24 };

enum resource { nothing, communicators, keys, by_types, files, lengths, room, kept_room, maps, copies, resources };
static char const* const names[] = {"nothing", "MPI_Comm_create", "MPI_Comm_create_keyval", "MPI_Comm_split_type",
                                    "open", "ftruncate", "statvfs", "posix_fallocate", "mmap", "process_vm_readv"};
static enum resource refused = nothing;
static char const* what_is_refused(void) { return names[refused]; }
static int uses = 0, from = 1, refusals = 0, is_refused = 0;

/* Whether the accelerator calls, for MPI has uses of its own for all of these. */
static int refuses(enum resource which, void* caller) {
    Dl_info code;
    if (which != refused || !is_refused || dladdr(caller, &code) == 0 || strstr(code.dli_fname, "tutti") == NULL) {
        return 0;
    }
    ++uses;
    if (uses < from) { return 0; }
    ++refusals;
    return 1;
}
#define refuse(which) refuses(which, __builtin_return_address(0))
#define next(name) (*(void**)&next_one == NULL ? *(void**)& next_one = dlsym(RTLD_NEXT, name) : NULL)

int PMPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm* made) {
    static int (*next_one)(MPI_Comm, MPI_Group, MPI_Comm*);
    next("PMPI_Comm_create");
    int const code = next_one(comm, group, made);
    return refuse(communicators) ? MPI_ERR_OTHER : code;
}
int PMPI_Comm_create_keyval(MPI_Comm_copy_attr_function* copy, MPI_Comm_delete_attr_function* end, int* key,
                            void* extra) {
    static int (*next_one)(MPI_Comm_copy_attr_function*, MPI_Comm_delete_attr_function*, int*, void*);
    next("PMPI_Comm_create_keyval");
    return refuse(keys) ? MPI_ERR_OTHER : next_one(copy, end, key, extra);
}
int PMPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* made) {
    static int (*next_one)(MPI_Comm, int, int, MPI_Info, MPI_Comm*);
    next("PMPI_Comm_split_type");
    int const code = next_one(comm, type, key, info, made);
    return refuse(by_types) ? MPI_ERR_OTHER : code;
}
int open(char const* path, int flags, ...) {
    static int (*next_one)(char const*, int, ...);
    va_list more;
    va_start(more, flags);
    int const mode = flags & O_CREAT ? va_arg(more, int) : 0;
    va_end(more);
    next("open");
    if (refuse(files)) { return errno = EMFILE, -1; }
    return next_one(path, flags, mode);
}
int ftruncate(int file, off_t bytes) {
    static int (*next_one)(int, off_t);
    next("ftruncate");
    return refuse(lengths) ? (errno = EFBIG, -1) : next_one(file, bytes);
}
int statvfs(char const* path, struct statvfs* about) {
    static int (*next_one)(char const*, struct statvfs*);
    next("statvfs");
    int const code = next_one(path, about);
    if (strcmp(path, "/dev/shm") == 0 && refuse(room)) { about->f_bavail = 0; }
    return code;
}
int posix_fallocate(int file, off_t begin, off_t bytes) {
    static int (*next_one)(int, off_t, off_t);
    next("posix_fallocate");
    return refuse(kept_room) ? ENOSPC : next_one(file, begin, bytes);
}
void* mmap(void* at, size_t bytes, int protection, int flags, int file, off_t begin) {
    static void* (*next_one)(void*, size_t, int, int, int, off_t);
    next("mmap");
    return refuse(maps) ? (errno = ENOMEM, MAP_FAILED) : next_one(at, bytes, protection, flags, file, begin);
}
ssize_t process_vm_readv(pid_t process, struct iovec const* to, unsigned long n, struct iovec const* of,
                         unsigned long m, unsigned long flags) {
    static ssize_t (*next_one)(pid_t, struct iovec const*, unsigned long, struct iovec const*, unsigned long,
                               unsigned long);
    next("process_vm_readv");
    return refuse(copies) ? (errno = EPERM, -1) : next_one(process, to, n, of, m, flags);
}

static void call(MPI_Comm comm) {
    static double in[most], out[most];
    for (int k = 0; k != calls; ++k) {
        int const n = k % 3 == 0 ? 1 : k % 3 == 1 ? 1 << 12 : most;
        struct call one = {Allreduce, n, size - 1, k, comm, MPI_DOUBLE, MPI_SUM, in, out};
        MPI_Request request;
        check_call(&one);
        one.which = Bcast;
        check_call(&one);
        fill_call(&one);
        MPI_Ibcast(out, n, MPI_DOUBLE, size - 1, comm, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        check_result(&one, " without blocking");
    }
}

int main(int argc, char* argv[]) {
    enum resource only = nothing;
    for (int i = 0; i != resources; ++i) {
        if (argc > 1 && strcmp(argv[1], names[i]) == 0) { only = (enum resource)i; }
    }
    reason_of_failure = what_is_refused;
    begin_mpi_with_threads(MPI_THREAD_FUNNELED, &argc, &argv);
    refused = only;
    is_refused = rank == 1;
    call(MPI_COMM_WORLD);
    is_refused = 0;
    for (int i = 0; i != resources; ++i) {
        if (only != nothing && i != (int)only) { continue; }
        refused = (enum resource)i;
        for (int k = 0, idle = 0;; ++k) {
            int const who = k % 2 == 0 ? 0 : size - 1, before = refusals;
            MPI_Comm one;
            from = k / 2 + 1;
            uses = 0;
            PMPI_Comm_dup(MPI_COMM_WORLD, &one);
            is_refused = rank == who;
            call(one);
            is_refused = 0;
            MPI_Comm_free(&one);
            int any = refusals != before;
            PMPI_Bcast(&any, 1, MPI_INT, who, MPI_COMM_WORLD);
            idle = any ? 0 : idle + 1;
            if (idle == 2) { break; } /* neither of the two has such a use */
        }
        if (rank == 0) { printf("%s: refused up to use %d, %d times here\n", names[i], from - 1, refusals); }
    }
    return end_mpi();
}
