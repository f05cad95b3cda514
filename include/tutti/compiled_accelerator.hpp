// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

// The library libtutti_mpi_calls.so, which takes collectives of programs that know nothing of tutti: MPI's functions
// under their own names, by MPI's profiling interface. Calls come by libtutti_mpi.so, see compiled_preload.hpp.
// `./dev accelerate` and the target tutti::accelerator compile this file, once, with hidden visibility.
//
// Compiled for the standard ABI of MPI 5 (libmpi_abi) it serves every MPI that has it, but for Fortran's functions of
// Open MPI.
//
// What is taken, see accelerator/rule.hpp; nonblocking and persistent collectives, with TUTTI=all only, see
// accelerator/workers.hpp.
// The rest is MPI's own, and so are those of intercommunicators. What the environment variable TUTTI may say, see
// accelerator/environment.hpp.
#ifdef TUTTI_COMPILED
#error "tutti: this translation unit defines what those with TUTTI_COMPILED declare; compile it without that"
#endif

#define TUTTI_KEEPS_ERROR_HANDLERS

#include <algorithm>

#include <tutti/communicator/mpi/declarations.hpp>

// What tutti itself calls is not to come back to it.
#define MPI_Allreduce PMPI_Allreduce
#define MPI_Barrier PMPI_Barrier
#define MPI_Bcast PMPI_Bcast
#define MPI_Allgather PMPI_Allgather
#define MPI_Iallreduce PMPI_Iallreduce
#define MPI_Ibarrier PMPI_Ibarrier
#define MPI_Comm_free PMPI_Comm_free
#define MPI_Query_thread PMPI_Query_thread
#define MPI_Request_free PMPI_Request_free

#include <tutti/accelerator/moves.hpp>
#include <tutti/accelerator/reductions.hpp>
#include <tutti/accelerator/workers.hpp>

#undef MPI_Allreduce
#undef MPI_Barrier
#undef MPI_Bcast
#undef MPI_Allgather
#undef MPI_Iallreduce
#undef MPI_Ibarrier
#undef MPI_Comm_free
#undef MPI_Query_thread
#undef MPI_Request_free

#pragma GCC visibility push(default)

#include <tutti/accelerator/collectives.hpp>

namespace tutti::accelerator {

/// After MPI_Init.
inline void begin() {
    roll_call::get().hold();
    if (is_on()) { standing::begin(); }
}

}  // namespace tutti::accelerator

extern "C" {

int MPI_Barrier(MPI_Comm comm) {
    auto const taken = tutti::accelerator::barrier(comm);
    return taken ? *taken : tutti::accelerator::by_mpi([&] { return PMPI_Barrier(comm); });
}

int MPI_Ibarrier(MPI_Comm comm, MPI_Request* request) {
    auto const taken = tutti::accelerator::barrier(comm, {request});
    return taken ? *taken : PMPI_Ibarrier(comm, request);
}

#if MPI_VERSION >= 4
int MPI_Barrier_init(MPI_Comm comm, MPI_Info info, MPI_Request* request) {
    auto const taken = tutti::accelerator::barrier(comm, {request, true});
    return taken ? *taken : PMPI_Barrier_init(comm, info, request);
}

int MPI_Start(MPI_Request* request) {
    auto& all = tutti::accelerator::workers::get();
    return all.has(request) ? all.start(request) : PMPI_Start(request);
}

int MPI_Startall(int count, MPI_Request requests[]) {
    auto& all = tutti::accelerator::workers::get();
    if (count <= 0 || requests == nullptr ||
        std::none_of(requests, requests + count, [&](MPI_Request const& each) { return all.has(&each); })) {
        return PMPI_Startall(count, requests);
    }
    for (int i = 0; i != count; ++i) {
        if (int const code = MPI_Start(&requests[i]); code != MPI_SUCCESS) { return code; }
    }
    return MPI_SUCCESS;
}

int MPI_Request_free(MPI_Request* request) {
    auto& all = tutti::accelerator::workers::get();
    if (all.has(request)) { all.forget(*request); }
    return PMPI_Request_free(request);
}
#endif

int MPI_Init(int* argc, char*** argv) {
    if (tutti::accelerator::workers::level(MPI_THREAD_SINGLE) != MPI_THREAD_SINGLE) {
        int provided = 0;
        return MPI_Init_thread(argc, argv, MPI_THREAD_SINGLE, &provided);
    }
    tutti::accelerator::roll_call::get().announce();
    int const code = PMPI_Init(argc, argv);
    if (code == MPI_SUCCESS) { tutti::accelerator::begin(); }
    return code;
}

int MPI_Init_thread(int* argc, char*** argv, int asked, int* provided) {
    tutti::accelerator::roll_call::get().announce();
    int const code = PMPI_Init_thread(argc, argv, tutti::accelerator::workers::level(asked), provided);
    if (code == MPI_SUCCESS) {
        tutti::accelerator::begin();
        *provided = tutti::accelerator::workers::get().begin(asked, *provided);
    }
    return code;
}

int MPI_Query_thread(int* provided) {
    int const code = PMPI_Query_thread(provided);
    if (code == MPI_SUCCESS) { *provided = std::min(*provided, tutti::accelerator::workers::get().level_told()); }
    return code;
}

// Calls that have begun may still use what is freed.
int MPI_Op_free(MPI_Op* op) {
    if (op != nullptr && *op != MPI_OP_NULL && tutti::accelerator::is_users(*op) &&
        tutti::accelerator::workers::get().free_later({.op = *op}, [freed = *op]() mutable { PMPI_Op_free(&freed); })) {
        *op = MPI_OP_NULL;
        return MPI_SUCCESS;
    }
    return PMPI_Op_free(op);
}

int MPI_Type_free(MPI_Datatype* type) {
    if (type != nullptr && *type != MPI_DATATYPE_NULL && !tutti::accelerator::is_predefined(*type) &&
        tutti::accelerator::workers::get().free_later({.types = {*type}},
                                                      [freed = *type]() mutable { PMPI_Type_free(&freed); })) {
        *type = MPI_DATATYPE_NULL;
        return MPI_SUCCESS;
    }
    return PMPI_Type_free(type);
}

int MPI_Comm_free(MPI_Comm* comm) {
    if (comm != nullptr && *comm != MPI_COMM_NULL) { tutti::accelerator::workers::get().end(*comm); }
    return PMPI_Comm_free(comm);
}

int MPI_Comm_disconnect(MPI_Comm* comm) {
    if (comm != nullptr && *comm != MPI_COMM_NULL) { tutti::accelerator::workers::get().end(*comm); }
    return PMPI_Comm_disconnect(comm);
}

int MPI_Finalize(void) {
    tutti::accelerator::workers::get().end();
    if (tutti::accelerator::is_on() && tutti::accelerator::environment::get().report) {
        tutti::accelerator::report::get().print();
    }
    tutti::accelerator::standing::end();
    return PMPI_Finalize();
}

}  // extern "C"

// Open MPI's functions for Fortran call those of the profiling interface, under these names; f08 calls the last.
// MPICH's call MPI's own, which are taken above.
#ifdef OPEN_MPI

extern "C" {

// Where Fortran says MPI_IN_PLACE and MPI_BOTTOM.
extern int mpi_fortran_in_place_ __attribute__((weak));
extern int mpi_fortran_bottom_ __attribute__((weak));

}  // extern "C"

namespace tutti::accelerator {

template <class T>
[[nodiscard]] T from_fortran(void* argument) {
    if constexpr (std::is_same_v<T, MPI_Datatype>) {
        return PMPI_Type_f2c(*static_cast<MPI_Fint*>(argument));
    } else if constexpr (std::is_same_v<T, MPI_Op>) {
        return PMPI_Op_f2c(*static_cast<MPI_Fint*>(argument));
    } else if constexpr (std::is_same_v<T, MPI_Comm>) {
        return PMPI_Comm_f2c(*static_cast<MPI_Fint*>(argument));
    } else if constexpr (std::is_same_v<T, int>) {
        return *static_cast<MPI_Fint*>(argument);
    } else if constexpr (std::is_same_v<T, int const*>) {
        return static_cast<MPI_Fint*>(argument);
    } else {
        if (argument == &mpi_fortran_in_place_) { return MPI_IN_PLACE; }
        if (argument == &mpi_fortran_bottom_) { return MPI_BOTTOM; }
        return argument;
    }
}
static_assert(std::is_same_v<MPI_Fint, int>);

template <class... Parameters, class... Arguments>
void call_from_fortran(int (*function)(Parameters...), void* code, Arguments... arguments) {
    int const value = function(from_fortran<Parameters>(arguments)...);
    if (code != nullptr) { *static_cast<MPI_Fint*>(code) = value; }
}

[[nodiscard]] inline int init_from_fortran() { return MPI_Init(nullptr, nullptr); }
[[nodiscard]] inline int init_thread_from_fortran(int asked, void* provided) {
    return MPI_Init_thread(nullptr, nullptr, asked, static_cast<int*>(provided));
}

}  // namespace tutti::accelerator

// Fortran passes addresses only, that of the error code last.
#define TUTTI_FORTRAN(name, NAME, function, addresses, ...)                                                            \
    extern "C" void ompi_##name##_f addresses { tutti::accelerator::call_from_fortran(function, __VA_ARGS__); }        \
    extern "C" void mpi_##name##_ addresses __attribute__((alias("ompi_" #name "_f")));                                \
    extern "C" void mpi_##name##__ addresses __attribute__((alias("ompi_" #name "_f")));                               \
    extern "C" void mpi_##name addresses __attribute__((alias("ompi_" #name "_f")));                                   \
    extern "C" void MPI_##NAME addresses __attribute__((alias("ompi_" #name "_f")));
#define TUTTI_FORTRAN_5(name, NAME, function)                                                                          \
    TUTTI_FORTRAN(name, NAME, function, (void* a, void* b, void* c, void* d, void* e, void* code), code, a, b, c, d, e)
#define TUTTI_FORTRAN_6(name, NAME, function)                                                                          \
    TUTTI_FORTRAN(name, NAME, function, (void* a, void* b, void* c, void* d, void* e, void* f, void* code), code, a,   \
                  b, c, d, e, f)
#define TUTTI_FORTRAN_7(name, NAME, function)                                                                          \
    TUTTI_FORTRAN(name, NAME, function, (void* a, void* b, void* c, void* d, void* e, void* f, void* g, void* code),   \
                  code, a, b, c, d, e, f, g)
#define TUTTI_FORTRAN_8(name, NAME, function)                                                                          \
    TUTTI_FORTRAN(name, NAME, function,                                                                                \
                  (void* a, void* b, void* c, void* d, void* e, void* f, void* g, void* h, void* code), code, a, b, c, \
                  d, e, f, g, h)
#define TUTTI_FORTRAN_9(name, NAME, function)                                                                          \
    TUTTI_FORTRAN(name, NAME, function,                                                                                \
                  (void* a, void* b, void* c, void* d, void* e, void* f, void* g, void* h, void* i, void* code), code, \
                  a, b, c, d, e, f, g, h, i)

TUTTI_FORTRAN_6(allreduce, ALLREDUCE, MPI_Allreduce)
TUTTI_FORTRAN_7(reduce, REDUCE, MPI_Reduce)
TUTTI_FORTRAN_6(reduce_scatter, REDUCE_SCATTER, MPI_Reduce_scatter)
TUTTI_FORTRAN_6(reduce_scatter_block, REDUCE_SCATTER_BLOCK, MPI_Reduce_scatter_block)
TUTTI_FORTRAN_6(scan, SCAN, MPI_Scan)
TUTTI_FORTRAN_6(exscan, EXSCAN, MPI_Exscan)
TUTTI_FORTRAN_5(bcast, BCAST, MPI_Bcast)
TUTTI_FORTRAN_8(gather, GATHER, MPI_Gather)
TUTTI_FORTRAN_9(gatherv, GATHERV, MPI_Gatherv)
TUTTI_FORTRAN_8(scatter, SCATTER, MPI_Scatter)
TUTTI_FORTRAN_9(scatterv, SCATTERV, MPI_Scatterv)
TUTTI_FORTRAN_7(allgather, ALLGATHER, MPI_Allgather)
TUTTI_FORTRAN_8(allgatherv, ALLGATHERV, MPI_Allgatherv)
TUTTI_FORTRAN(barrier, BARRIER, MPI_Barrier, (void* comm, void* code), code, comm)
TUTTI_FORTRAN(finalize, FINALIZE, MPI_Finalize, (void* code), code)
TUTTI_FORTRAN(init, INIT, tutti::accelerator::init_from_fortran, (void* code), code)
TUTTI_FORTRAN(init_thread, INIT_THREAD, tutti::accelerator::init_thread_from_fortran,
              (void* asked, void* provided, void* code), code, asked, provided)

#undef TUTTI_FORTRAN_9
#undef TUTTI_FORTRAN_8
#undef TUTTI_FORTRAN_7
#undef TUTTI_FORTRAN_6
#undef TUTTI_FORTRAN_5
#undef TUTTI_FORTRAN

#endif

#pragma GCC visibility pop
