// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

// MPI's collectives, each in all of its forms: blocking, nonblocking, persistent, and all with large counts, as MPI has
// them; defined, for one translation unit.

#include <tutti/accelerator/moves.hpp>
#include <tutti/accelerator/reductions.hpp>

// Of each collective: its name, that of its nonblocking form, its parameters, MPI's arguments, the function that may
// take the call, and that one's arguments.
#define TUTTI_COLLECTIVES(FORMS)                                                                                       \
    FORMS(Allreduce, Iallreduce,                                                                                       \
          (void const* in, void* out, number count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),                      \
          (in, out, count, type, op, comm),                                                                            \
          all_reduce, (in, out, count, type, op, comm))                                                                \
    FORMS(Reduce, Ireduce,                                                                                             \
          (void const* in, void* out, number count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm),            \
          (in, out, count, type, op, root, comm),                                                                      \
          reduce, (in, out, count, type, op, root, comm))                                                              \
    FORMS(Reduce_scatter, Ireduce_scatter,                                                                             \
          (void const* in, void* out, number const counts[], MPI_Datatype type, MPI_Op op, MPI_Comm comm),             \
          (in, out, counts, type, op, comm),                                                                           \
          reduce_scatter, (in, out, counts, type, op, comm))                                                           \
    FORMS(Reduce_scatter_block, Ireduce_scatter_block,                                                                 \
          (void const* in, void* out, number count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),                      \
          (in, out, count, type, op, comm),                                                                            \
          reduce_scatter_block, (in, out, count, type, op, comm))                                                      \
    FORMS(Scan, Iscan,                                                                                                 \
          (void const* in, void* out, number count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),                      \
          (in, out, count, type, op, comm),                                                                            \
          scan, (in, out, count, type, op, comm))                                                                      \
    FORMS(Exscan, Iexscan,                                                                                             \
          (void const* in, void* out, number count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),                      \
          (in, out, count, type, op, comm),                                                                            \
          exscan, (in, out, count, type, op, comm))                                                                    \
    FORMS(Bcast, Ibcast,                                                                                               \
          (void* both, number count, MPI_Datatype type, int root, MPI_Comm comm),                                      \
          (both, count, type, root, comm),                                                                             \
          broadcast, (both, count, type, root, comm))                                                                  \
    FORMS(Gather, Igather,                                                                                             \
          (void const* in, number count, MPI_Datatype type, void* out, number out_count, MPI_Datatype                  \
           out_type, int root, MPI_Comm comm),                                                                         \
          (in, count, type, out, out_count, out_type, root, comm),                                                     \
          gather, (function::gather, in, count, type, out, nullptr, out_count, nullptr, out_type, root,                \
           comm))                                                                                                      \
    FORMS(Gatherv, Igatherv,                                                                                           \
          (void const* in, number count, MPI_Datatype type, void* out, number const counts[], place const              \
           places[], MPI_Datatype out_type, int root, MPI_Comm comm),                                                  \
          (in, count, type, out, counts, places, out_type, root, comm),                                                \
          gather, (function::gatherv, in, count, type, out, counts, 0, places, out_type, root, comm))                  \
    FORMS(Scatter, Iscatter,                                                                                           \
          (void const* in, number count, MPI_Datatype type, void* out, number out_count, MPI_Datatype                  \
           out_type, int root, MPI_Comm comm),                                                                         \
          (in, count, type, out, out_count, out_type, root, comm),                                                     \
          scatter, (function::scatter, in, nullptr, count, nullptr, type, out, out_count, out_type, root,              \
           comm))                                                                                                      \
    FORMS(Scatterv, Iscatterv,                                                                                         \
          (void const* in, number const counts[], place const places[], MPI_Datatype type, void* out, number           \
           out_count, MPI_Datatype out_type, int root, MPI_Comm comm),                                                 \
          (in, counts, places, type, out, out_count, out_type, root, comm),                                            \
          scatter, (function::scatterv, in, counts, 0, places, type, out, out_count, out_type, root, comm))            \
    FORMS(Allgather, Iallgather,                                                                                       \
          (void const* in, number count, MPI_Datatype type, void* out, number out_count, MPI_Datatype                  \
           out_type, MPI_Comm comm),                                                                                   \
          (in, count, type, out, out_count, out_type, comm),                                                           \
          all_gather, (function::all_gather, in, count, type, out, nullptr, out_count, nullptr, out_type,              \
           comm))                                                                                                      \
    FORMS(Allgatherv, Iallgatherv,                                                                                     \
          (void const* in, number count, MPI_Datatype type, void* out, number const counts[], place const              \
           places[], MPI_Datatype out_type, MPI_Comm comm),                                                            \
          (in, count, type, out, counts, places, out_type, comm),                                                      \
          all_gather, (function::all_gatherv, in, count, type, out, counts, 0, places, out_type, comm))

#define TUTTI_BARE(...) __VA_ARGS__
#define TUTTI_FORM(name, parameters, arguments, take, given)                                                           \
    extern "C" int MPI_##name parameters {                                                                             \
        auto const taken = take given;                                                                                 \
        return taken ? *taken : by_mpi([&] { return PMPI_##name arguments; });                                         \
    }
#define TUTTI_FORMS(name, i_name, parameters, arguments, take, given)                                                  \
    TUTTI_FORM(name, parameters, arguments, take, given)                                                               \
    TUTTI_FORM(i_name, (TUTTI_BARE parameters, MPI_Request * request), (TUTTI_BARE arguments, request), take,          \
               (TUTTI_BARE given, {request}))
#define TUTTI_PERSISTENT_FORM(name, parameters, arguments, take, given)                                                \
    TUTTI_FORM(name, (TUTTI_BARE parameters, MPI_Info info, MPI_Request * request),                                    \
               (TUTTI_BARE arguments, info, request), take, (TUTTI_BARE given, {request, true}))
#define TUTTI_INT_PERSISTENT_FORMS(name, i_name, parameters, arguments, take, given)                                   \
    TUTTI_PERSISTENT_FORM(name##_init, parameters, arguments, take, given)
#define TUTTI_LARGE_PERSISTENT_FORMS(name, i_name, parameters, arguments, take, given)                                 \
    TUTTI_PERSISTENT_FORM(name##_init_c, parameters, arguments, take, given)
#define TUTTI_LARGE_FORMS(name, i_name, parameters, arguments, take, given)                                            \
    TUTTI_FORMS(name##_c, i_name##_c, parameters, arguments, take, given)

namespace tutti::accelerator {

// With C linkage a function is the same in each namespace.
namespace int_counts {
using number = int;
using place = int;
TUTTI_COLLECTIVES(TUTTI_FORMS)
#if MPI_VERSION >= 4
TUTTI_COLLECTIVES(TUTTI_INT_PERSISTENT_FORMS)
#endif
}  // namespace int_counts

#if MPI_VERSION >= 4
namespace large_counts {
using number = MPI_Count;
using place = MPI_Aint;
TUTTI_COLLECTIVES(TUTTI_LARGE_FORMS)
TUTTI_COLLECTIVES(TUTTI_LARGE_PERSISTENT_FORMS)
}  // namespace large_counts
#endif

}  // namespace tutti::accelerator

#undef TUTTI_LARGE_FORMS
#undef TUTTI_LARGE_PERSISTENT_FORMS
#undef TUTTI_INT_PERSISTENT_FORMS
#undef TUTTI_PERSISTENT_FORM
#undef TUTTI_FORMS
#undef TUTTI_FORM
#undef TUTTI_BARE
#undef TUTTI_COLLECTIVES
