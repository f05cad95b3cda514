// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

// The library libtutti_mpi.so, which is loaded before MPI's (LD_PRELOAD) and takes collectives of programs that know
// nothing of tutti: MPI's functions under their own names, by MPI's profiling interface. `./dev accelerate` and the
// target tutti::accelerator compile this file, once, with hidden visibility.
//
// What is taken, see accelerator/rule.hpp; nonblocking collectives, see accelerator/workers.hpp, with TUTTI=all only.
// The rest is MPI's own, and so are persistent collectives, those of intercommunicators, and reductions of derived types
// that reach beyond their extents. In the environment TUTTI=off, TUTTI=all and TUTTI=report, see
// accelerator/environment.hpp.
#ifdef TUTTI_COMPILED
#error "tutti: this translation unit defines what those with TUTTI_COMPILED declare; compile it without that"
#endif

#include <tutti/communicator/mpi/declarations.hpp>

// What tutti itself calls is not to come back to it.
#define MPI_Allreduce PMPI_Allreduce
#define MPI_Barrier PMPI_Barrier
#define MPI_Bcast PMPI_Bcast
#define MPI_Allgather PMPI_Allgather
#define MPI_Iallreduce PMPI_Iallreduce
#define MPI_Ibarrier PMPI_Ibarrier
#define MPI_Comm_free PMPI_Comm_free

#include <tutti/accelerator/moves.hpp>
#include <tutti/accelerator/reductions.hpp>

#undef MPI_Allreduce
#undef MPI_Barrier
#undef MPI_Bcast
#undef MPI_Allgather
#undef MPI_Iallreduce
#undef MPI_Ibarrier
#undef MPI_Comm_free

#pragma GCC visibility push(default)

#include <tutti/accelerator/large_count.hpp>
#include <tutti/accelerator/nonblocking.hpp>

extern "C" {

int MPI_Allreduce(void const* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    auto const taken = tutti::accelerator::all_reduce(in, out, count, type, op, comm);
    return taken ? *taken : PMPI_Allreduce(in, out, count, type, op, comm);
}

int MPI_Reduce(void const* in, void* out, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
    auto const taken = tutti::accelerator::reduce(in, out, count, type, op, root, comm);
    return taken ? *taken : PMPI_Reduce(in, out, count, type, op, root, comm);
}

int MPI_Reduce_scatter(void const* in, void* out, int const counts[], MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    auto const taken = tutti::accelerator::reduce_scatter(in, out, counts, type, op, comm);
    return taken ? *taken : PMPI_Reduce_scatter(in, out, counts, type, op, comm);
}

int MPI_Reduce_scatter_block(void const* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    auto const taken = tutti::accelerator::reduce_scatter_block(in, out, count, type, op, comm);
    return taken ? *taken : PMPI_Reduce_scatter_block(in, out, count, type, op, comm);
}

int MPI_Scan(void const* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    auto const taken = tutti::accelerator::scan(in, out, count, type, op, comm);
    return taken ? *taken : PMPI_Scan(in, out, count, type, op, comm);
}

int MPI_Exscan(void const* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    auto const taken = tutti::accelerator::exscan(in, out, count, type, op, comm);
    return taken ? *taken : PMPI_Exscan(in, out, count, type, op, comm);
}

int MPI_Bcast(void* both, int count, MPI_Datatype type, int root, MPI_Comm comm) {
    auto const taken = tutti::accelerator::broadcast(both, count, type, root, comm);
    return taken ? *taken : PMPI_Bcast(both, count, type, root, comm);
}

int MPI_Gather(void const* in, int count, MPI_Datatype type, void* out, int out_count, MPI_Datatype out_type, int root,
               MPI_Comm comm) {
    auto const taken = tutti::accelerator::gather(tutti::accelerator::function::gather, in, count, type, out, nullptr,
                                                  out_count, nullptr, out_type, root, comm);
    return taken ? *taken : PMPI_Gather(in, count, type, out, out_count, out_type, root, comm);
}

int MPI_Gatherv(void const* in, int count, MPI_Datatype type, void* out, int const counts[], int const places[],
                MPI_Datatype out_type, int root, MPI_Comm comm) {
    auto const taken = tutti::accelerator::gather(tutti::accelerator::function::gatherv, in, count, type, out, counts,
                                                  0, places, out_type, root, comm);
    return taken ? *taken : PMPI_Gatherv(in, count, type, out, counts, places, out_type, root, comm);
}

int MPI_Scatter(void const* in, int count, MPI_Datatype type, void* out, int out_count, MPI_Datatype out_type, int root,
                MPI_Comm comm) {
    auto const taken = tutti::accelerator::scatter(tutti::accelerator::function::scatter, in, nullptr, count, nullptr,
                                                   type, out, out_count, out_type, root, comm);
    return taken ? *taken : PMPI_Scatter(in, count, type, out, out_count, out_type, root, comm);
}

int MPI_Scatterv(void const* in, int const counts[], int const places[], MPI_Datatype type, void* out, int out_count,
                 MPI_Datatype out_type, int root, MPI_Comm comm) {
    auto const taken = tutti::accelerator::scatter(tutti::accelerator::function::scatterv, in, counts, 0, places, type,
                                                   out, out_count, out_type, root, comm);
    return taken ? *taken : PMPI_Scatterv(in, counts, places, type, out, out_count, out_type, root, comm);
}

int MPI_Allgather(void const* in, int count, MPI_Datatype type, void* out, int out_count, MPI_Datatype out_type,
                  MPI_Comm comm) {
    auto const taken = tutti::accelerator::all_gather(tutti::accelerator::function::all_gather, in, count, type, out,
                                                      nullptr, out_count, nullptr, out_type, comm);
    return taken ? *taken : PMPI_Allgather(in, count, type, out, out_count, out_type, comm);
}

int MPI_Allgatherv(void const* in, int count, MPI_Datatype type, void* out, int const counts[], int const places[],
                   MPI_Datatype out_type, MPI_Comm comm) {
    auto const taken = tutti::accelerator::all_gather(tutti::accelerator::function::all_gatherv, in, count, type, out,
                                                      counts, 0, places, out_type, comm);
    return taken ? *taken : PMPI_Allgatherv(in, count, type, out, counts, places, out_type, comm);
}

int MPI_Barrier(MPI_Comm comm) {
    auto const taken = tutti::accelerator::barrier(comm);
    return taken ? *taken : PMPI_Barrier(comm);
}

int MPI_Finalize(void) {
    tutti::accelerator::workers::get().end();
    if (tutti::accelerator::is_on() && tutti::accelerator::environment::get().report) {
        tutti::accelerator::report::get().print();
    }
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

[[nodiscard]] inline char* from_fortran(char* address) {
    if (address == reinterpret_cast<char*>(&mpi_fortran_in_place_)) { return static_cast<char*>(MPI_IN_PLACE); }
    if (address == reinterpret_cast<char*>(&mpi_fortran_bottom_)) { return static_cast<char*>(MPI_BOTTOM); }
    return address;
}

inline void give(MPI_Fint* code, int value) {
    if (code != nullptr) { *code = value; }
}

}  // namespace tutti::accelerator

#define TUTTI_FORTRAN(name, NAME, parameters, call)                                                                    \
    extern "C" void ompi_##name##_f parameters { tutti::accelerator::give(code, call); }                               \
    extern "C" void mpi_##name##_ parameters __attribute__((alias("ompi_" #name "_f")));                               \
    extern "C" void mpi_##name##__ parameters __attribute__((alias("ompi_" #name "_f")));                              \
    extern "C" void mpi_##name parameters __attribute__((alias("ompi_" #name "_f")));                                  \
    extern "C" void MPI_##NAME parameters __attribute__((alias("ompi_" #name "_f")));

static_assert(sizeof(MPI_Fint) == sizeof(int));

TUTTI_FORTRAN(allreduce, ALLREDUCE,
              (char* in, char* out, MPI_Fint const* count, MPI_Fint const* type, MPI_Fint const* op,
               MPI_Fint const* comm, MPI_Fint* code),
              MPI_Allreduce(tutti::accelerator::from_fortran(in), tutti::accelerator::from_fortran(out), *count,
                            PMPI_Type_f2c(*type), PMPI_Op_f2c(*op), PMPI_Comm_f2c(*comm)))
TUTTI_FORTRAN(reduce, REDUCE,
              (char* in, char* out, MPI_Fint const* count, MPI_Fint const* type, MPI_Fint const* op,
               MPI_Fint const* root, MPI_Fint const* comm, MPI_Fint* code),
              MPI_Reduce(tutti::accelerator::from_fortran(in), tutti::accelerator::from_fortran(out), *count,
                         PMPI_Type_f2c(*type), PMPI_Op_f2c(*op), *root, PMPI_Comm_f2c(*comm)))
TUTTI_FORTRAN(reduce_scatter, REDUCE_SCATTER,
              (char* in, char* out, MPI_Fint const* counts, MPI_Fint const* type, MPI_Fint const* op,
               MPI_Fint const* comm, MPI_Fint* code),
              MPI_Reduce_scatter(tutti::accelerator::from_fortran(in), tutti::accelerator::from_fortran(out), counts,
                                 PMPI_Type_f2c(*type), PMPI_Op_f2c(*op), PMPI_Comm_f2c(*comm)))
TUTTI_FORTRAN(reduce_scatter_block, REDUCE_SCATTER_BLOCK,
              (char* in, char* out, MPI_Fint const* count, MPI_Fint const* type, MPI_Fint const* op,
               MPI_Fint const* comm, MPI_Fint* code),
              MPI_Reduce_scatter_block(tutti::accelerator::from_fortran(in), tutti::accelerator::from_fortran(out),
                                       *count, PMPI_Type_f2c(*type), PMPI_Op_f2c(*op), PMPI_Comm_f2c(*comm)))
TUTTI_FORTRAN(scan, SCAN,
              (char* in, char* out, MPI_Fint const* count, MPI_Fint const* type, MPI_Fint const* op,
               MPI_Fint const* comm, MPI_Fint* code),
              MPI_Scan(tutti::accelerator::from_fortran(in), tutti::accelerator::from_fortran(out), *count,
                       PMPI_Type_f2c(*type), PMPI_Op_f2c(*op), PMPI_Comm_f2c(*comm)))
TUTTI_FORTRAN(exscan, EXSCAN,
              (char* in, char* out, MPI_Fint const* count, MPI_Fint const* type, MPI_Fint const* op,
               MPI_Fint const* comm, MPI_Fint* code),
              MPI_Exscan(tutti::accelerator::from_fortran(in), tutti::accelerator::from_fortran(out), *count,
                         PMPI_Type_f2c(*type), PMPI_Op_f2c(*op), PMPI_Comm_f2c(*comm)))
TUTTI_FORTRAN(bcast, BCAST,
              (char* both, MPI_Fint const* count, MPI_Fint const* type, MPI_Fint const* root, MPI_Fint const* comm,
               MPI_Fint* code),
              MPI_Bcast(tutti::accelerator::from_fortran(both), *count, PMPI_Type_f2c(*type), *root,
                        PMPI_Comm_f2c(*comm)))
TUTTI_FORTRAN(gather, GATHER,
              (char* in, MPI_Fint const* count, MPI_Fint const* type, char* out, MPI_Fint const* out_count,
               MPI_Fint const* out_type, MPI_Fint const* root, MPI_Fint const* comm, MPI_Fint* code),
              MPI_Gather(tutti::accelerator::from_fortran(in), *count, PMPI_Type_f2c(*type),
                         tutti::accelerator::from_fortran(out), *out_count, PMPI_Type_f2c(*out_type), *root,
                         PMPI_Comm_f2c(*comm)))
TUTTI_FORTRAN(gatherv, GATHERV,
              (char* in, MPI_Fint const* count, MPI_Fint const* type, char* out, MPI_Fint const* counts,
               MPI_Fint const* places, MPI_Fint const* out_type, MPI_Fint const* root, MPI_Fint const* comm,
               MPI_Fint* code),
              MPI_Gatherv(tutti::accelerator::from_fortran(in), *count, PMPI_Type_f2c(*type),
                          tutti::accelerator::from_fortran(out), counts, places, PMPI_Type_f2c(*out_type), *root,
                          PMPI_Comm_f2c(*comm)))
TUTTI_FORTRAN(scatter, SCATTER,
              (char* in, MPI_Fint const* count, MPI_Fint const* type, char* out, MPI_Fint const* out_count,
               MPI_Fint const* out_type, MPI_Fint const* root, MPI_Fint const* comm, MPI_Fint* code),
              MPI_Scatter(tutti::accelerator::from_fortran(in), *count, PMPI_Type_f2c(*type),
                          tutti::accelerator::from_fortran(out), *out_count, PMPI_Type_f2c(*out_type), *root,
                          PMPI_Comm_f2c(*comm)))
TUTTI_FORTRAN(scatterv, SCATTERV,
              (char* in, MPI_Fint const* counts, MPI_Fint const* places, MPI_Fint const* type, char* out,
               MPI_Fint const* out_count, MPI_Fint const* out_type, MPI_Fint const* root, MPI_Fint const* comm,
               MPI_Fint* code),
              MPI_Scatterv(tutti::accelerator::from_fortran(in), counts, places, PMPI_Type_f2c(*type),
                           tutti::accelerator::from_fortran(out), *out_count, PMPI_Type_f2c(*out_type), *root,
                           PMPI_Comm_f2c(*comm)))
TUTTI_FORTRAN(allgather, ALLGATHER,
              (char* in, MPI_Fint const* count, MPI_Fint const* type, char* out, MPI_Fint const* out_count,
               MPI_Fint const* out_type, MPI_Fint const* comm, MPI_Fint* code),
              MPI_Allgather(tutti::accelerator::from_fortran(in), *count, PMPI_Type_f2c(*type),
                            tutti::accelerator::from_fortran(out), *out_count, PMPI_Type_f2c(*out_type),
                            PMPI_Comm_f2c(*comm)))
TUTTI_FORTRAN(allgatherv, ALLGATHERV,
              (char* in, MPI_Fint const* count, MPI_Fint const* type, char* out, MPI_Fint const* counts,
               MPI_Fint const* places, MPI_Fint const* out_type, MPI_Fint const* comm, MPI_Fint* code),
              MPI_Allgatherv(tutti::accelerator::from_fortran(in), *count, PMPI_Type_f2c(*type),
                             tutti::accelerator::from_fortran(out), counts, places, PMPI_Type_f2c(*out_type),
                             PMPI_Comm_f2c(*comm)))
TUTTI_FORTRAN(barrier, BARRIER, (MPI_Fint const* comm, MPI_Fint* code), MPI_Barrier(PMPI_Comm_f2c(*comm)))
TUTTI_FORTRAN(finalize, FINALIZE, (MPI_Fint * code), MPI_Finalize())

#undef TUTTI_FORTRAN

#endif

#pragma GCC visibility pop
