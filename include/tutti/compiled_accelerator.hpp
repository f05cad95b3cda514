// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

// The library libtutti_mpi_calls.so, which takes collectives of programs that know nothing of tutti: MPI's functions
// under their own names, by MPI's profiling interface. Calls come by libtutti_mpi.so, see compiled_preload.hpp.
// `./dev accelerate` and the target tutti::accelerator compile this file, once, with hidden visibility.
//
// Compiled for the standard ABI of MPI 5 (libmpi_abi) it serves every MPI that has it, but for Fortran's functions of
// Open MPI.
//
// What is taken, see accelerator/rule.hpp. The rest is MPI's own, and so are nonblocking and persistent collectives,
// and those of intercommunicators. What the environment variable TUTTI may say, see accelerator/environment.hpp.
#include <tutti/language.hpp>

static_assert(!tutti::engine::is_linked,
              "tutti: this translation unit defines what those with TUTTI_COMPILED declare; compile "
              "it without that");

#define TUTTI_KEEPS_ERROR_HANDLERS

#include <type_traits>

#include <tutti/communicator/mpi/declarations.hpp>
#include <tutti/accelerator/moves.hpp>
#include <tutti/accelerator/reductions.hpp>

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

int MPI_Init(int* argc, char*** argv) {
    tutti::accelerator::roll_call::get().announce();
    int const code = PMPI_Init(argc, argv);
    if (code == MPI_SUCCESS) { tutti::accelerator::begin(); }
    return code;
}

int MPI_Init_thread(int* argc, char*** argv, int asked, int* provided) {
    tutti::accelerator::roll_call::get().announce();
    int const code = PMPI_Init_thread(argc, argv, asked, provided);
    if (code == MPI_SUCCESS) { tutti::accelerator::begin(); }
    return code;
}

int MPI_Finalize(void) {
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
