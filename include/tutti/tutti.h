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
#include <stdint.h>

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
    TUTTI_INVALID_ARGUMENT = 1, /* before the first message; other ranks that waited for this one get 3 */
    TUTTI_OUT_OF_MEMORY = 2,
    TUTTI_COMMUNICATION = 3, /* MPI has failed, or another rank, or calls differ: all ranks call tutti_recover, also */
                             /* those that got another code or none */
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

/* Operators on numbers, which commute. Where there is no such operation on the type (the minimum of complex numbers,
 * the bits of a float), `combine` is NULL, which every call refuses. Elements must have the size of the type. */
enum {
    TUTTI_SUM = 1,
    TUTTI_PRODUCT = 2,
    TUTTI_MINIMUM = 3,
    TUTTI_MAXIMUM = 4,
    TUTTI_BIT_AND = 5,
    TUTTI_BIT_OR = 6,
    TUTTI_BIT_XOR = 7
};
enum {
    TUTTI_FLOAT = 1,
    TUTTI_DOUBLE = 2,
    TUTTI_COMPLEX_FLOAT = 3,
    TUTTI_COMPLEX_DOUBLE = 4,
    TUTTI_INT8 = 5,
    TUTTI_INT16 = 6,
    TUTTI_INT32 = 7,
    TUTTI_INT64 = 8,
    TUTTI_UINT8 = 9,
    TUTTI_UINT16 = 10,
    TUTTI_UINT32 = 11,
    TUTTI_UINT64 = 12
};
tutti_operator tutti_operator_for(int function, int type);

/* Structs whose members have operators of their own: member j lies `offset` bytes from the beginning of a struct of
 * `extent` bytes, and is an array of `count` elements if that is not 0. The description and the states of its operators
 * stay where they are as long as the operator is used. Bytes between members are those of the right operand. */
typedef struct tutti_member {
    size_t offset;
    size_t count;
    tutti_operator op;
} tutti_member;
typedef struct tutti_members {
    tutti_member const* member;
    size_t count;
    size_t extent;
} tutti_members;
tutti_operator tutti_each(tutti_members const* members);

/* For languages that check arguments of their own: in the place of a blocking call whose arguments are wrong on this
 * rank. `why` is the last error, and the other ranks of the call do not wait for this one. Returns
 * TUTTI_INVALID_ARGUMENT. */
int tutti_refuse(MPI_Comm comm, char const* why);
/* For the same: MPI's own, without its declarations. */
int tutti_rank_and_size(MPI_Comm comm, int* rank, int* size);

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

/* How the call of a request is performed: algorithm, why this one, and what it is expected to cost. The text is valid
 * until the request is freed or explained again. */
int tutti_explain(tutti_request request, char const** text);

/* From now on calls of the collective ("all_reduce", "reduce", ...) on this communicator go by the algorithm of that
 * name, "reproducible" among them, with its parameters at their defaults; by tutti's choice after "automatic" or NULL.
 * All ranks call, with the same names. A name that does not exist is refused on all of them, with a list of those that
 * do; an algorithm that does not suit an operator or a number of ranks is refused by the call. */
int tutti_use_algorithm(MPI_Comm comm, char const* collective, char const* algorithm);

/* Sums of numbers whose bits depend on the multiset of numbers alone: not on their order, the number of ranks, nor on
 * which rank holds which. Every rank gives `n` numbers, perhaps none, and gets the sum. The error of a sum is at most
 * 2^-80 (float: 2^-40) times the number of numbers and the largest magnitude, and half a unit of its last place; an
 * exact sum is rounded once. `sums` of them by one message: sum i is of n[i] numbers at x[i]. A dot product is the sum
 * of products that are not rounded. -0.0 counts as 0, denormals count; infinities of one sign give that one, of both,
 * or any NaN, give NaN. */
int tutti_sum_without_order(MPI_Comm comm, double const* x, size_t n, double* sum);
int tutti_sum_without_order_float(MPI_Comm comm, float const* x, size_t n, float* sum);
int tutti_exact_sum_without_order(MPI_Comm comm, double const* x, size_t n, double* sum);
int tutti_exact_sum_without_order_float(MPI_Comm comm, float const* x, size_t n, float* sum);
int tutti_sums_without_order(MPI_Comm comm, size_t sums, double const* const* x, size_t const* n, double* result);
int tutti_sums_without_order_float(MPI_Comm comm, size_t sums, float const* const* x, size_t const* n, float* result);
int tutti_exact_sums_without_order(MPI_Comm comm, size_t sums, double const* const* x, size_t const* n,
                                   double* result);
int tutti_exact_sums_without_order_float(MPI_Comm comm, size_t sums, float const* const* x, size_t const* n,
                                         float* result);
int tutti_dot_without_order(MPI_Comm comm, double const* x, double const* y, size_t n, double* dot);
int tutti_dot_without_order_float(MPI_Comm comm, float const* x, float const* y, size_t n, float* dot);

/* The sums themselves, as elements for any collective: zeros are an empty one, _add adds numbers to one, _plus is the
 * operator that adds them up, _value gives the number. */
typedef struct tutti_binned_sum {
    uint64_t word[6];
} tutti_binned_sum;
typedef struct tutti_binned_sum_float {
    uint64_t word[3];
} tutti_binned_sum_float;
typedef struct tutti_exact_sum {
    uint64_t word[35];
} tutti_exact_sum;
typedef struct tutti_exact_sum_float {
    uint64_t word[7];
} tutti_exact_sum_float;
void tutti_binned_sum_add(tutti_binned_sum* sum, double const* x, size_t n);
void tutti_binned_sum_float_add(tutti_binned_sum_float* sum, float const* x, size_t n);
void tutti_exact_sum_add(tutti_exact_sum* sum, double const* x, size_t n);
void tutti_exact_sum_float_add(tutti_exact_sum_float* sum, float const* x, size_t n);
double tutti_binned_sum_value(tutti_binned_sum const* sum);
float tutti_binned_sum_float_value(tutti_binned_sum_float const* sum);
double tutti_exact_sum_value(tutti_exact_sum const* sum);
float tutti_exact_sum_float_value(tutti_exact_sum_float const* sum);
tutti_operator tutti_binned_sum_plus(void);
tutti_operator tutti_binned_sum_float_plus(void);
tutti_operator tutti_exact_sum_plus(void);
tutti_operator tutti_exact_sum_float_plus(void);

/* The elements of all ranks as one sequence, in rank order, however they are distributed: every rank gives `count` of
 * them, perhaps none. Results have the bits of the balanced tree over the positions of elements, whatever the number of
 * ranks. `out` is one element, of reduce_sequence on the root, where it stays as it was if there are no elements;
 * all_reduce_sequence then fails on all ranks. Of the scans, which may be in place, `out` has `count` elements; an
 * exclusive one leaves the first of all as it was. They apply the operator to one element at a time. */
int tutti_reduce_sequence(MPI_Comm comm, void const* in, size_t count, void* out, size_t extent, tutti_operator op,
                          int root);
int tutti_all_reduce_sequence(MPI_Comm comm, void const* in, size_t count, void* out, size_t extent,
                              tutti_operator op);
int tutti_inclusive_scan_sequence(MPI_Comm comm, void const* in, size_t count, void* out, size_t extent,
                                  tutti_operator op);
int tutti_exclusive_scan_sequence(MPI_Comm comm, void const* in, size_t count, void* out, size_t extent,
                                  tutti_operator op);

/* Objects of any number of bytes, which may be another one on each rank. An operator puts a (+) b, of na and nb bytes,
 * into memory that grow(result, bytes) gives it, or NULL where there is none. It may call that again for more or fewer
 * bytes: the memory moves, with what is in it. Without a call of grow the result has no bytes. */
typedef void* tutti_grow(void* result, size_t bytes);
typedef void tutti_combine_objects(void* state, void const* a, size_t na, void const* b, size_t nb, tutti_grow* grow,
                                   void* result);
typedef struct tutti_object_operator {
    tutti_combine_objects* combine;
    void* state;
    int commutes;
} tutti_object_operator;
typedef struct tutti_object {
    void* bytes;
    size_t size;
} tutti_object;
/* `object` becomes one without bytes. */
void tutti_object_free(tutti_object* object);
/* all_reduce: a reduce to rank 0 and a broadcast; other ranks need memory for what they send, and for the result.
 * `result` is the caller's, to be freed. It has no bytes on other ranks than the root after a reduce, and on rank 0
 * after an exclusive_scan. */
int tutti_all_reduce_objects(MPI_Comm comm, void const* bytes, size_t n, tutti_object_operator op,
                             tutti_object* result);
int tutti_reduce_objects(MPI_Comm comm, void const* bytes, size_t n, tutti_object_operator op, int root,
                         tutti_object* result);
int tutti_inclusive_scan_objects(MPI_Comm comm, void const* bytes, size_t n, tutti_object_operator op,
                                 tutti_object* result);
int tutti_exclusive_scan_objects(MPI_Comm comm, void const* bytes, size_t n, tutti_object_operator op,
                                 tutti_object* result);
/* The root's object; what other ranks give is not looked at. */
int tutti_broadcast_objects(MPI_Comm comm, void const* bytes, size_t n, int root, tutti_object* result);

/* After TUTTI_COMMUNICATION: makes the communicator sound again; all ranks call it, those that have noticed nothing
 * too. Ranks that wait for one that never comes do not notice that by themselves: TUTTI_TIMEOUT=30 in the environment
 * of the first rank lets those that have waited for 30 seconds in vain return TUTTI_COMMUNICATION. */
int tutti_recover(MPI_Comm comm);

#ifdef __cplusplus
}
#endif

#endif
