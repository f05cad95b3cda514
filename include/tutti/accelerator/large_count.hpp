// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

// MPI's collectives with large counts, where MPI has them; defined, for one translation unit.

#include <tutti/accelerator/moves.hpp>
#include <tutti/accelerator/reductions.hpp>

#if MPI_VERSION >= 4

extern "C" {

int MPI_Allreduce_c(void const* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    auto const taken = tutti::accelerator::all_reduce(in, out, count, type, op, comm);
    return taken ? *taken : PMPI_Allreduce_c(in, out, count, type, op, comm);
}

int MPI_Reduce_c(void const* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
    auto const taken = tutti::accelerator::reduce(in, out, count, type, op, root, comm);
    return taken ? *taken : PMPI_Reduce_c(in, out, count, type, op, root, comm);
}

int MPI_Reduce_scatter_c(void const* in, void* out, MPI_Count const counts[], MPI_Datatype type, MPI_Op op,
                         MPI_Comm comm) {
    auto const taken = tutti::accelerator::reduce_scatter(in, out, counts, type, op, comm);
    return taken ? *taken : PMPI_Reduce_scatter_c(in, out, counts, type, op, comm);
}

int MPI_Reduce_scatter_block_c(void const* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op,
                               MPI_Comm comm) {
    auto const taken = tutti::accelerator::reduce_scatter_block(in, out, count, type, op, comm);
    return taken ? *taken : PMPI_Reduce_scatter_block_c(in, out, count, type, op, comm);
}

int MPI_Scan_c(void const* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    auto const taken = tutti::accelerator::scan(in, out, count, type, op, comm);
    return taken ? *taken : PMPI_Scan_c(in, out, count, type, op, comm);
}

int MPI_Exscan_c(void const* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    auto const taken = tutti::accelerator::exscan(in, out, count, type, op, comm);
    return taken ? *taken : PMPI_Exscan_c(in, out, count, type, op, comm);
}

int MPI_Bcast_c(void* both, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm) {
    auto const taken = tutti::accelerator::broadcast(both, count, type, root, comm);
    return taken ? *taken : PMPI_Bcast_c(both, count, type, root, comm);
}

int MPI_Gather_c(void const* in, MPI_Count count, MPI_Datatype type, void* out, MPI_Count out_count,
                 MPI_Datatype out_type, int root, MPI_Comm comm) {
    auto const taken = tutti::accelerator::gather(tutti::accelerator::function::gather, in, count, type, out, nullptr,
                                                  out_count, nullptr, out_type, root, comm);
    return taken ? *taken : PMPI_Gather_c(in, count, type, out, out_count, out_type, root, comm);
}

int MPI_Gatherv_c(void const* in, MPI_Count count, MPI_Datatype type, void* out, MPI_Count const counts[],
                  MPI_Aint const places[], MPI_Datatype out_type, int root, MPI_Comm comm) {
    auto const taken = tutti::accelerator::gather(tutti::accelerator::function::gatherv, in, count, type, out, counts,
                                                  0, places, out_type, root, comm);
    return taken ? *taken : PMPI_Gatherv_c(in, count, type, out, counts, places, out_type, root, comm);
}

int MPI_Scatter_c(void const* in, MPI_Count count, MPI_Datatype type, void* out, MPI_Count out_count,
                  MPI_Datatype out_type, int root, MPI_Comm comm) {
    auto const taken = tutti::accelerator::scatter(tutti::accelerator::function::scatter, in, nullptr, count, nullptr,
                                                   type, out, out_count, out_type, root, comm);
    return taken ? *taken : PMPI_Scatter_c(in, count, type, out, out_count, out_type, root, comm);
}

int MPI_Scatterv_c(void const* in, MPI_Count const counts[], MPI_Aint const places[], MPI_Datatype type, void* out,
                   MPI_Count out_count, MPI_Datatype out_type, int root, MPI_Comm comm) {
    auto const taken = tutti::accelerator::scatter(tutti::accelerator::function::scatterv, in, counts, 0, places, type,
                                                   out, out_count, out_type, root, comm);
    return taken ? *taken : PMPI_Scatterv_c(in, counts, places, type, out, out_count, out_type, root, comm);
}

int MPI_Allgather_c(void const* in, MPI_Count count, MPI_Datatype type, void* out, MPI_Count out_count,
                    MPI_Datatype out_type, MPI_Comm comm) {
    auto const taken = tutti::accelerator::all_gather(tutti::accelerator::function::all_gather, in, count, type, out,
                                                      nullptr, out_count, nullptr, out_type, comm);
    return taken ? *taken : PMPI_Allgather_c(in, count, type, out, out_count, out_type, comm);
}

int MPI_Allgatherv_c(void const* in, MPI_Count count, MPI_Datatype type, void* out, MPI_Count const counts[],
                     MPI_Aint const places[], MPI_Datatype out_type, MPI_Comm comm) {
    auto const taken = tutti::accelerator::all_gather(tutti::accelerator::function::all_gatherv, in, count, type, out,
                                                      counts, 0, places, out_type, comm);
    return taken ? *taken : PMPI_Allgatherv_c(in, count, type, out, counts, places, out_type, comm);
}

int MPI_Iallreduce_c(void const* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                     MPI_Request* request) {
    auto const taken = tutti::accelerator::all_reduce(in, out, count, type, op, comm, request);
    return taken ? *taken : PMPI_Iallreduce_c(in, out, count, type, op, comm, request);
}

int MPI_Ireduce_c(void const* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm,
                  MPI_Request* request) {
    auto const taken = tutti::accelerator::reduce(in, out, count, type, op, root, comm, request);
    return taken ? *taken : PMPI_Ireduce_c(in, out, count, type, op, root, comm, request);
}

int MPI_Ireduce_scatter_c(void const* in, void* out, MPI_Count const counts[], MPI_Datatype type, MPI_Op op,
                          MPI_Comm comm, MPI_Request* request) {
    auto const taken = tutti::accelerator::reduce_scatter(in, out, counts, type, op, comm, request);
    return taken ? *taken : PMPI_Ireduce_scatter_c(in, out, counts, type, op, comm, request);
}

int MPI_Ireduce_scatter_block_c(void const* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                                MPI_Request* request) {
    auto const taken = tutti::accelerator::reduce_scatter_block(in, out, count, type, op, comm, request);
    return taken ? *taken : PMPI_Ireduce_scatter_block_c(in, out, count, type, op, comm, request);
}

int MPI_Iscan_c(void const* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                MPI_Request* request) {
    auto const taken = tutti::accelerator::scan(in, out, count, type, op, comm, request);
    return taken ? *taken : PMPI_Iscan_c(in, out, count, type, op, comm, request);
}

int MPI_Iexscan_c(void const* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                  MPI_Request* request) {
    auto const taken = tutti::accelerator::exscan(in, out, count, type, op, comm, request);
    return taken ? *taken : PMPI_Iexscan_c(in, out, count, type, op, comm, request);
}

int MPI_Ibcast_c(void* both, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request* request) {
    auto const taken = tutti::accelerator::broadcast(both, count, type, root, comm, request);
    return taken ? *taken : PMPI_Ibcast_c(both, count, type, root, comm, request);
}

int MPI_Igather_c(void const* in, MPI_Count count, MPI_Datatype type, void* out, MPI_Count out_count,
                  MPI_Datatype out_type, int root, MPI_Comm comm, MPI_Request* request) {
    auto const taken = tutti::accelerator::gather(tutti::accelerator::function::gather, in, count, type, out, nullptr,
                                                  out_count, nullptr, out_type, root, comm, request);
    return taken ? *taken : PMPI_Igather_c(in, count, type, out, out_count, out_type, root, comm, request);
}

int MPI_Igatherv_c(void const* in, MPI_Count count, MPI_Datatype type, void* out, MPI_Count const counts[],
                   MPI_Aint const places[], MPI_Datatype out_type, int root, MPI_Comm comm, MPI_Request* request) {
    auto const taken = tutti::accelerator::gather(tutti::accelerator::function::gatherv, in, count, type, out, counts,
                                                  0, places, out_type, root, comm, request);
    return taken ? *taken : PMPI_Igatherv_c(in, count, type, out, counts, places, out_type, root, comm, request);
}

int MPI_Iscatter_c(void const* in, MPI_Count count, MPI_Datatype type, void* out, MPI_Count out_count,
                   MPI_Datatype out_type, int root, MPI_Comm comm, MPI_Request* request) {
    auto const taken = tutti::accelerator::scatter(tutti::accelerator::function::scatter, in, nullptr, count, nullptr,
                                                   type, out, out_count, out_type, root, comm, request);
    return taken ? *taken : PMPI_Iscatter_c(in, count, type, out, out_count, out_type, root, comm, request);
}

int MPI_Iscatterv_c(void const* in, MPI_Count const counts[], MPI_Aint const places[], MPI_Datatype type, void* out,
                    MPI_Count out_count, MPI_Datatype out_type, int root, MPI_Comm comm, MPI_Request* request) {
    auto const taken = tutti::accelerator::scatter(tutti::accelerator::function::scatterv, in, counts, 0, places, type,
                                                   out, out_count, out_type, root, comm, request);
    return taken ? *taken : PMPI_Iscatterv_c(in, counts, places, type, out, out_count, out_type, root, comm, request);
}

int MPI_Iallgather_c(void const* in, MPI_Count count, MPI_Datatype type, void* out, MPI_Count out_count,
                     MPI_Datatype out_type, MPI_Comm comm, MPI_Request* request) {
    auto const taken = tutti::accelerator::all_gather(tutti::accelerator::function::all_gather, in, count, type, out,
                                                      nullptr, out_count, nullptr, out_type, comm, request);
    return taken ? *taken : PMPI_Iallgather_c(in, count, type, out, out_count, out_type, comm, request);
}

int MPI_Iallgatherv_c(void const* in, MPI_Count count, MPI_Datatype type, void* out, MPI_Count const counts[],
                      MPI_Aint const places[], MPI_Datatype out_type, MPI_Comm comm, MPI_Request* request) {
    auto const taken = tutti::accelerator::all_gather(tutti::accelerator::function::all_gatherv, in, count, type, out,
                                                      counts, 0, places, out_type, comm, request);
    return taken ? *taken : PMPI_Iallgatherv_c(in, count, type, out, counts, places, out_type, comm, request);
}

}  // extern "C"

#endif
