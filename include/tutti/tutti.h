/* Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
 *
 * tutti's collectives for C, and for all languages that call C: the library is the CMake target tutti::c,
 * and tutti of pkg-config.
 *
 * Elements are known by their size alone (`extent`, in bytes) and copied as bytes; operators are functions with a state
 * of the caller's. What a collective does is said with the one of the same name in C++ (<tutti/collectives.hpp>).
 *
 * Every function returns TUTTI_SUCCESS or an error code, of which tutti_error_string gives the meaning and
 * tutti_last_error what has happened. No C++ exception leaves the library.
 *
 * `comm` is any intracommunicator of MPI. Its first collective call duplicates it; the duplicate ends with it. */
#ifndef TUTTI_TUTTI_H
#define TUTTI_TUTTI_H

#include <stddef.h>

#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1
#endif
#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX 1
#endif
#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    TUTTI_SUCCESS = 0,
    TUTTI_INVALID_ARGUMENT = 1, /* before the first message */
    TUTTI_OUT_OF_MEMORY = 2,
    TUTTI_COMMUNICATION = 3, /* MPI has failed, or another rank, or calls differ: tutti_recover on all ranks */
    TUTTI_WRONG_USE = 4,     /* a request is started while it runs, MPI is not initialised */
    TUTTI_OTHER = 5          /* the operator has failed, here or on another rank; there is nothing to recover */
};

/* The meaning of a code; never NULL. */
char const* tutti_error_string(int code);

/* What was wrong in the last call of this thread that has failed; "" if none has. Valid until the next one fails. */
char const* tutti_last_error(void);

/* The communicator behind a handle of Fortran's, for languages to which MPI_Comm_f2c may be a macro. Where MPI_Comm is
 * an int, a number of the size of a pointer can be passed in its place on all common machines. */
MPI_Comm tutti_comm_f2c(MPI_Fint comm);

/* inout[i] = in[i] (+) inout[i] for n elements, as MPI's operators: `in` is the left operand. The blocks never overlap,
 * long vectors come in slices, and n is never 0. An operator that cannot combine them calls tutti_fail and returns. */
typedef void tutti_combine(void* state, void const* in, void* inout, size_t n);

/* Called in an operator, by the thread that runs it. The collective returns TUTTI_OTHER on this rank, where `why`,
 * which is copied, is the last error, and on all ranks that lack a result; other calls are not touched. */
void tutti_fail(char const* why);

/* An operator. Operands stay in rank order unless it commutes; it is the same on all ranks. */
typedef struct tutti_operator {
    tutti_combine* combine;
    void* state;
    int commutes;
} tutti_operator;

/* In the place of `in` (of gather: on the root; of scatter: of `out` on the root): the operands are where the result
 * goes. Vectors of one call do not overlap otherwise; one without elements may be NULL. */
#define TUTTI_IN_PLACE ((void*)-1)

/* Blocking. Counts are numbers of elements: of all_gather, gather and scatter on each rank; `counts`, where there are
 * some, has one for each rank, and those of gather and scatter matter on the root only. */
int tutti_barrier(MPI_Comm comm);
int tutti_broadcast(MPI_Comm comm, void* inout, size_t count, size_t extent, int root);
int tutti_reduce(MPI_Comm comm, void const* in, void* out, size_t count, size_t extent, tutti_operator op, int root);
int tutti_all_reduce(MPI_Comm comm, void const* in, void* out, size_t count, size_t extent, tutti_operator op);
int tutti_inclusive_scan(MPI_Comm comm, void const* in, void* out, size_t count, size_t extent, tutti_operator op);
/* Rank 0's `out` is left as it is. */
int tutti_exclusive_scan(MPI_Comm comm, void const* in, void* out, size_t count, size_t extent, tutti_operator op);
int tutti_scan_reduce(MPI_Comm comm, void const* in, void* prefix, void* total, size_t count, size_t extent,
                      tutti_operator op);
/* In place the result is at the beginning of `out`, and the rest of it stays as it was. */
int tutti_reduce_scatter(MPI_Comm comm, void const* in, void* out, size_t const* counts, size_t extent,
                         tutti_operator op);
int tutti_reduce_scatter_block(MPI_Comm comm, void const* in, void* out, size_t count, size_t extent,
                               tutti_operator op);
int tutti_all_gather(MPI_Comm comm, void const* in, void* out, size_t count, size_t extent);
int tutti_all_gatherv(MPI_Comm comm, void const* in, void* out, size_t const* counts, size_t extent);
int tutti_gather(MPI_Comm comm, void const* in, void* out, size_t count, size_t extent, int root);
int tutti_gatherv(MPI_Comm comm, void const* in, size_t count, void* out, size_t const* counts, size_t extent,
                  int root);
int tutti_scatter(MPI_Comm comm, void const* in, void* out, size_t count, size_t extent, int root);
int tutti_scatterv(MPI_Comm comm, void const* in, size_t const* counts, void* out, size_t count, size_t extent,
                   int root);

/* A collective that is started and waited for later, once or many times; the memory, and the state of the operator,
 * stay where they are until it is freed. NULL is no request: all functions take it for one that has ended. */
typedef struct tutti_request_data* tutti_request;
int tutti_start(tutti_request request);
int tutti_test(tutti_request request, int* done);
int tutti_wait(tutti_request request);
/* A request that still runs is waited for. `*request` becomes NULL. */
int tutti_request_free(tutti_request* request);

/* Nonblocking: started when the function returns. To be freed like the others. */
int tutti_start_broadcast(MPI_Comm comm, void* inout, size_t count, size_t extent, int root, tutti_request* request);
int tutti_start_reduce(MPI_Comm comm, void const* in, void* out, size_t count, size_t extent, tutti_operator op,
                       int root, tutti_request* request);
int tutti_start_all_reduce(MPI_Comm comm, void const* in, void* out, size_t count, size_t extent, tutti_operator op,
                           tutti_request* request);
int tutti_start_inclusive_scan(MPI_Comm comm, void const* in, void* out, size_t count, size_t extent,
                               tutti_operator op, tutti_request* request);
int tutti_start_exclusive_scan(MPI_Comm comm, void const* in, void* out, size_t count, size_t extent,
                               tutti_operator op, tutti_request* request);
int tutti_start_scan_reduce(MPI_Comm comm, void const* in, void* prefix, void* total, size_t count, size_t extent,
                            tutti_operator op, tutti_request* request);
int tutti_start_reduce_scatter(MPI_Comm comm, void const* in, void* out, size_t const* counts, size_t extent,
                               tutti_operator op, tutti_request* request);
int tutti_start_reduce_scatter_block(MPI_Comm comm, void const* in, void* out, size_t count, size_t extent,
                                     tutti_operator op, tutti_request* request);
int tutti_start_all_gather(MPI_Comm comm, void const* in, void* out, size_t count, size_t extent,
                           tutti_request* request);
int tutti_start_all_gatherv(MPI_Comm comm, void const* in, void* out, size_t const* counts, size_t extent,
                            tutti_request* request);
int tutti_start_gather(MPI_Comm comm, void const* in, void* out, size_t count, size_t extent, int root,
                       tutti_request* request);
int tutti_start_gatherv(MPI_Comm comm, void const* in, size_t count, void* out, size_t const* counts, size_t extent,
                        int root, tutti_request* request);
int tutti_start_scatter(MPI_Comm comm, void const* in, void* out, size_t count, size_t extent, int root,
                        tutti_request* request);
int tutti_start_scatterv(MPI_Comm comm, void const* in, size_t const* counts, void* out, size_t count, size_t extent,
                         int root, tutti_request* request);

/* Persistent: not yet started. */
int tutti_plan_broadcast(MPI_Comm comm, void* inout, size_t count, size_t extent, int root, tutti_request* request);
int tutti_plan_reduce(MPI_Comm comm, void const* in, void* out, size_t count, size_t extent, tutti_operator op,
                      int root, tutti_request* request);
int tutti_plan_all_reduce(MPI_Comm comm, void const* in, void* out, size_t count, size_t extent, tutti_operator op,
                          tutti_request* request);
int tutti_plan_inclusive_scan(MPI_Comm comm, void const* in, void* out, size_t count, size_t extent,
                              tutti_operator op, tutti_request* request);
int tutti_plan_exclusive_scan(MPI_Comm comm, void const* in, void* out, size_t count, size_t extent,
                              tutti_operator op, tutti_request* request);
int tutti_plan_scan_reduce(MPI_Comm comm, void const* in, void* prefix, void* total, size_t count, size_t extent,
                           tutti_operator op, tutti_request* request);
int tutti_plan_reduce_scatter(MPI_Comm comm, void const* in, void* out, size_t const* counts, size_t extent,
                              tutti_operator op, tutti_request* request);
int tutti_plan_reduce_scatter_block(MPI_Comm comm, void const* in, void* out, size_t count, size_t extent,
                                    tutti_operator op, tutti_request* request);
int tutti_plan_all_gather(MPI_Comm comm, void const* in, void* out, size_t count, size_t extent,
                          tutti_request* request);
int tutti_plan_all_gatherv(MPI_Comm comm, void const* in, void* out, size_t const* counts, size_t extent,
                           tutti_request* request);
int tutti_plan_gather(MPI_Comm comm, void const* in, void* out, size_t count, size_t extent, int root,
                      tutti_request* request);
int tutti_plan_gatherv(MPI_Comm comm, void const* in, size_t count, void* out, size_t const* counts, size_t extent,
                       int root, tutti_request* request);
int tutti_plan_scatter(MPI_Comm comm, void const* in, void* out, size_t count, size_t extent, int root,
                       tutti_request* request);
int tutti_plan_scatterv(MPI_Comm comm, void const* in, size_t const* counts, void* out, size_t count, size_t extent,
                        int root, tutti_request* request);

/* After TUTTI_COMMUNICATION: makes the communicator sound again; all ranks call it, those that have noticed nothing
 * too. Ranks that wait for one that never comes do not notice that by themselves: TUTTI_TIMEOUT=30 in the environment
 * of the first rank lets those that have waited for 30 seconds in vain return TUTTI_COMMUNICATION. */
int tutti_recover(MPI_Comm comm);

#ifdef __cplusplus
}
#endif

#endif
