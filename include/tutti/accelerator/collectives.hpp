// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

// MPI's blocking collectives, with large counts too where MPI has them; defined, for one translation unit.

#include <tutti/accelerator/moves.hpp>
#include <tutti/accelerator/reductions.hpp>

// Of each collective: its name, its parameters, MPI's arguments, the function that may take the call, and that one's
// arguments.
#define TUTTI_COLLECTIVES(FORMS)                                                                                       \
    FORMS(Allreduce,                                                                                                   \
          (void const* in, void* out, number count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),                      \
          (in, out, count, type, op, comm),                                                                            \
          all_reduce, (in, out, count, type, op, comm))                                                                \
    FORMS(Reduce,                                                                                                      \
          (void const* in, void* out, number count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm),            \
          (in, out, count, type, op, root, comm),                                                                      \
          reduce, (in, out, count, type, op, root, comm))                                                              \
    FORMS(Reduce_scatter,                                                                                              \
          (void const* in, void* out, number const counts[], MPI_Datatype type, MPI_Op op, MPI_Comm comm),             \
          (in, out, counts, type, op, comm),                                                                           \
          reduce_scatter, (in, out, counts, type, op, comm))                                                           \
    FORMS(Reduce_scatter_block,                                                                                        \
          (void const* in, void* out, number count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),                      \
          (in, out, count, type, op, comm),                                                                            \
          reduce_scatter_block, (in, out, count, type, op, comm))                                                      \
    FORMS(Scan,                                                                                                        \
          (void const* in, void* out, number count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),                      \
          (in, out, count, type, op, comm),                                                                            \
          scan, (in, out, count, type, op, comm))                                                                      \
    FORMS(Exscan,                                                                                                      \
          (void const* in, void* out, number count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),                      \
          (in, out, count, type, op, comm),                                                                            \
          exscan, (in, out, count, type, op, comm))                                                                    \
    FORMS(Bcast,                                                                                                       \
          (void* both, number count, MPI_Datatype type, int root, MPI_Comm comm),                                      \
          (both, count, type, root, comm),                                                                             \
          broadcast, (both, count, type, root, comm))                                                                  \
    FORMS(Gather,                                                                                                      \
          (void const* in, number count, MPI_Datatype type, void* out, number out_count, MPI_Datatype                  \
           out_type, int root, MPI_Comm comm),                                                                         \
          (in, count, type, out, out_count, out_type, root, comm),                                                     \
          gather, (function::gather, in, count, type, out, nullptr, out_count, nullptr, out_type, root,                \
           comm))                                                                                                      \
    FORMS(Gatherv,                                                                                                     \
          (void const* in, number count, MPI_Datatype type, void* out, number const counts[], place const              \
           places[], MPI_Datatype out_type, int root, MPI_Comm comm),                                                  \
          (in, count, type, out, counts, places, out_type, root, comm),                                                \
          gather, (function::gatherv, in, count, type, out, counts, 0, places, out_type, root, comm))                  \
    FORMS(Scatter,                                                                                                     \
          (void const* in, number count, MPI_Datatype type, void* out, number out_count, MPI_Datatype                  \
           out_type, int root, MPI_Comm comm),                                                                         \
          (in, count, type, out, out_count, out_type, root, comm),                                                     \
          scatter, (function::scatter, in, nullptr, count, nullptr, type, out, out_count, out_type, root,              \
           comm))                                                                                                      \
    FORMS(Scatterv,                                                                                                    \
          (void const* in, number const counts[], place const places[], MPI_Datatype type, void* out, number           \
           out_count, MPI_Datatype out_type, int root, MPI_Comm comm),                                                 \
          (in, counts, places, type, out, out_count, out_type, root, comm),                                            \
          scatter, (function::scatterv, in, counts, 0, places, type, out, out_count, out_type, root, comm))            \
    FORMS(Allgather,                                                                                                   \
          (void const* in, number count, MPI_Datatype type, void* out, number out_count, MPI_Datatype                  \
           out_type, MPI_Comm comm),                                                                                   \
          (in, count, type, out, out_count, out_type, comm),                                                           \
          all_gather, (function::all_gather, in, count, type, out, nullptr, out_count, nullptr, out_type,              \
           comm))                                                                                                      \
    FORMS(Allgatherv,                                                                                                  \
          (void const* in, number count, MPI_Datatype type, void* out, number const counts[], place const              \
           places[], MPI_Datatype out_type, MPI_Comm comm),                                                            \
          (in, count, type, out, counts, places, out_type, comm),                                                      \
          all_gather, (function::all_gatherv, in, count, type, out, counts, 0, places, out_type, comm))

#define TUTTI_FORM(name, parameters, arguments, take, given)                                                           \
    extern "C" int MPI_##name parameters {                                                                             \
        auto const taken = take given;                                                                                 \
        return taken ? *taken : by_mpi([&] { return PMPI_##name arguments; });                                         \
    }
#define TUTTI_LARGE_FORM(name, parameters, arguments, take, given)                                                     \
    TUTTI_FORM(name##_c, parameters, arguments, take, given)

namespace tutti::accelerator {

// With C linkage a function is the same in each namespace.
namespace int_counts {
using number = int;
using place = int;
TUTTI_COLLECTIVES(TUTTI_FORM)
}  // namespace int_counts

#if MPI_VERSION >= 4
namespace large_counts {
using number = MPI_Count;
using place = MPI_Aint;
TUTTI_COLLECTIVES(TUTTI_LARGE_FORM)
}  // namespace large_counts
#endif

}  // namespace tutti::accelerator

#undef TUTTI_LARGE_FORM
#undef TUTTI_FORM
#undef TUTTI_COLLECTIVES
