// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

// MPI's functions that begin nonblocking collectives, and those that these make it necessary to know of; defined, for
// one translation unit.

#include <tutti/accelerator/moves.hpp>
#include <tutti/accelerator/reductions.hpp>
#include <tutti/accelerator/workers.hpp>

extern "C" {

int MPI_Iallreduce(void const* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                   MPI_Request* request) {
    auto const taken = tutti::accelerator::all_reduce(in, out, count, type, op, comm, request);
    return taken ? *taken : PMPI_Iallreduce(in, out, count, type, op, comm, request);
}

int MPI_Ireduce(void const* in, void* out, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm,
                MPI_Request* request) {
    auto const taken = tutti::accelerator::reduce(in, out, count, type, op, root, comm, request);
    return taken ? *taken : PMPI_Ireduce(in, out, count, type, op, root, comm, request);
}

int MPI_Ireduce_scatter(void const* in, void* out, int const counts[], MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                        MPI_Request* request) {
    auto const taken = tutti::accelerator::reduce_scatter(in, out, counts, type, op, comm, request);
    return taken ? *taken : PMPI_Ireduce_scatter(in, out, counts, type, op, comm, request);
}

int MPI_Ireduce_scatter_block(void const* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                              MPI_Request* request) {
    auto const taken = tutti::accelerator::reduce_scatter_block(in, out, count, type, op, comm, request);
    return taken ? *taken : PMPI_Ireduce_scatter_block(in, out, count, type, op, comm, request);
}

int MPI_Iscan(void const* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request* request) {
    auto const taken = tutti::accelerator::scan(in, out, count, type, op, comm, request);
    return taken ? *taken : PMPI_Iscan(in, out, count, type, op, comm, request);
}

int MPI_Iexscan(void const* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                MPI_Request* request) {
    auto const taken = tutti::accelerator::exscan(in, out, count, type, op, comm, request);
    return taken ? *taken : PMPI_Iexscan(in, out, count, type, op, comm, request);
}

int MPI_Ibcast(void* both, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request* request) {
    auto const taken = tutti::accelerator::broadcast(both, count, type, root, comm, request);
    return taken ? *taken : PMPI_Ibcast(both, count, type, root, comm, request);
}

int MPI_Igather(void const* in, int count, MPI_Datatype type, void* out, int out_count, MPI_Datatype out_type, int root,
                MPI_Comm comm, MPI_Request* request) {
    auto const taken = tutti::accelerator::gather(tutti::accelerator::function::gather, in, count, type, out, nullptr,
                                                  out_count, nullptr, out_type, root, comm, request);
    return taken ? *taken : PMPI_Igather(in, count, type, out, out_count, out_type, root, comm, request);
}

int MPI_Igatherv(void const* in, int count, MPI_Datatype type, void* out, int const counts[], int const places[],
                 MPI_Datatype out_type, int root, MPI_Comm comm, MPI_Request* request) {
    auto const taken = tutti::accelerator::gather(tutti::accelerator::function::gatherv, in, count, type, out, counts,
                                                  0, places, out_type, root, comm, request);
    return taken ? *taken : PMPI_Igatherv(in, count, type, out, counts, places, out_type, root, comm, request);
}

int MPI_Iscatter(void const* in, int count, MPI_Datatype type, void* out, int out_count, MPI_Datatype out_type,
                 int root, MPI_Comm comm, MPI_Request* request) {
    auto const taken = tutti::accelerator::scatter(tutti::accelerator::function::scatter, in, nullptr, count, nullptr,
                                                   type, out, out_count, out_type, root, comm, request);
    return taken ? *taken : PMPI_Iscatter(in, count, type, out, out_count, out_type, root, comm, request);
}

int MPI_Iscatterv(void const* in, int const counts[], int const places[], MPI_Datatype type, void* out, int out_count,
                  MPI_Datatype out_type, int root, MPI_Comm comm, MPI_Request* request) {
    auto const taken = tutti::accelerator::scatter(tutti::accelerator::function::scatterv, in, counts, 0, places, type,
                                                   out, out_count, out_type, root, comm, request);
    return taken ? *taken : PMPI_Iscatterv(in, counts, places, type, out, out_count, out_type, root, comm, request);
}

int MPI_Iallgather(void const* in, int count, MPI_Datatype type, void* out, int out_count, MPI_Datatype out_type,
                   MPI_Comm comm, MPI_Request* request) {
    auto const taken = tutti::accelerator::all_gather(tutti::accelerator::function::all_gather, in, count, type, out,
                                                      nullptr, out_count, nullptr, out_type, comm, request);
    return taken ? *taken : PMPI_Iallgather(in, count, type, out, out_count, out_type, comm, request);
}

int MPI_Iallgatherv(void const* in, int count, MPI_Datatype type, void* out, int const counts[], int const places[],
                    MPI_Datatype out_type, MPI_Comm comm, MPI_Request* request) {
    auto const taken = tutti::accelerator::all_gather(tutti::accelerator::function::all_gatherv, in, count, type, out,
                                                      counts, 0, places, out_type, comm, request);
    return taken ? *taken : PMPI_Iallgatherv(in, count, type, out, counts, places, out_type, comm, request);
}

int MPI_Ibarrier(MPI_Comm comm, MPI_Request* request) {
    auto const taken = tutti::accelerator::barrier(comm, request);
    return taken ? *taken : PMPI_Ibarrier(comm, request);
}

int MPI_Init(int* argc, char*** argv) {
    if (tutti::accelerator::workers::level(MPI_THREAD_SINGLE) == MPI_THREAD_SINGLE) { return PMPI_Init(argc, argv); }
    int provided = 0;
    return MPI_Init_thread(argc, argv, MPI_THREAD_SINGLE, &provided);
}

int MPI_Init_thread(int* argc, char*** argv, int asked, int* provided) {
    int const code = PMPI_Init_thread(argc, argv, tutti::accelerator::workers::level(asked), provided);
    if (code == MPI_SUCCESS) { tutti::accelerator::workers::get().begin(*provided); }
    return code;
}

// Calls that have begun may still use what is freed.
int MPI_Op_free(MPI_Op* op) {
    if (op != nullptr && *op != MPI_OP_NULL && tutti::accelerator::is_users(*op) &&
        tutti::accelerator::workers::get().free_later([freed = *op]() mutable { PMPI_Op_free(&freed); })) {
        *op = MPI_OP_NULL;
        return MPI_SUCCESS;
    }
    return PMPI_Op_free(op);
}

int MPI_Type_free(MPI_Datatype* type) {
    if (type != nullptr && *type != MPI_DATATYPE_NULL && !tutti::accelerator::layout{*type}.predefined &&
        tutti::accelerator::workers::get().free_later([freed = *type]() mutable { PMPI_Type_free(&freed); })) {
        *type = MPI_DATATYPE_NULL;
        return MPI_SUCCESS;
    }
    return PMPI_Type_free(type);
}

int MPI_Comm_free(MPI_Comm* comm) {
    if (comm != nullptr && *comm != MPI_COMM_NULL) { tutti::accelerator::workers::get().drain(*comm); }
    return PMPI_Comm_free(comm);
}

}  // extern "C"
