// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

// MPI's collectives, with large counts too where MPI has them; defined, for one translation unit, as functions that
// libtutti_mpi.so calls: their first argument is the address that the program calls from.

#include <preload/moves.hpp>
#include <preload/performer.hpp>
#include <preload/reductions.hpp>
#include <watch/lengths.hpp>
#include <watch/observer.hpp>

// Of each collective: its name, the name of its nonblocking form, its parameters, MPI's arguments, the call of tutti
// that may take it, its facts (elements, their type, operator, root, whether all ranks have as many), and the lengths
// that ranks compare.
#define TUTTI_COLLECTIVES(FORM)                                                                                        \
    FORM(Allreduce, Iallreduce,                                                                                        \
         (void const* in, void* out, number count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),                       \
         (in, out, count, type, op, comm), (all_reduce(entry, in, out, count, type, op, comm)),                               \
         (count, type, op, no_root, true), (watch::observer::none))                                                    \
    FORM(Reduce, Ireduce,                                                                                              \
         (void const* in, void* out, number count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm),             \
         (in, out, count, type, op, root, comm), (reduce(entry, in, out, count, type, op, root, comm)),                       \
         (count, type, op, root, true), (watch::observer::none))                                                       \
    FORM(Reduce_scatter, Ireduce_scatter,                                                                              \
         (void const* in, void* out, number const counts[], MPI_Datatype type, MPI_Op op, MPI_Comm comm),              \
         (in, out, counts, type, op, comm), (reduce_scatter(entry, in, out, counts, type, op, comm)),                         \
         (total(counts, comm), type, op, no_root, true),                                                        \
         ([=] { return watch::lengths_of_all(counts, type, comm); }))                                                  \
    FORM(Reduce_scatter_block, Ireduce_scatter_block,                                                                  \
         (void const* in, void* out, number count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),                       \
         (in, out, count, type, op, comm), (reduce_scatter_block(entry, in, out, count, type, op, comm)),                     \
         (count, type, op, no_root, true), (watch::observer::none))                                                    \
    FORM(Scan, Iscan, (void const* in, void* out, number count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),          \
         (in, out, count, type, op, comm), (scan(entry, in, out, count, type, op, comm)), (count, type, op, no_root, true),   \
         (watch::observer::none))                                                                                      \
    FORM(Exscan, Iexscan, (void const* in, void* out, number count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),      \
         (in, out, count, type, op, comm), (exscan(entry, in, out, count, type, op, comm)), (count, type, op, no_root, true), \
         (watch::observer::none))                                                                                      \
    FORM(Bcast, Ibcast, (void* both, number count, MPI_Datatype type, int root, MPI_Comm comm),                        \
         (both, count, type, root, comm), (broadcast(entry, both, count, type, root, comm)),                                  \
         (count, type, MPI_OP_NULL, root, true), (watch::observer::none))                                              \
    FORM(Gather, Igather,                                                                                              \
         (void const* in, number count, MPI_Datatype type, void* out, number out_count, MPI_Datatype out_type,         \
          int root, MPI_Comm comm),                                                                                    \
         (in, count, type, out, out_count, out_type, root, comm),                                                      \
         (gather(entry, in, count, type, out, nullptr, out_count, nullptr, out_type, root, comm)),          \
         (in == MPI_IN_PLACE ? out_count : count, in == MPI_IN_PLACE ? out_type : type, MPI_OP_NULL, root, true),      \
         (watch::observer::none))                                                                                      \
    FORM(Gatherv, Igatherv,                                                                                            \
         (void const* in, number count, MPI_Datatype type, void* out, number const counts[], place const places[],     \
          MPI_Datatype out_type, int root, MPI_Comm comm),                                                             \
         (in, count, type, out, counts, places, out_type, root, comm),                                                 \
         (gather(entry, in, count, type, out, counts, 0, places, out_type, root, comm)),                   \
         (in == MPI_IN_PLACE ? -1 : count, type, MPI_OP_NULL, root, false), ([=] {                                     \
             return watch::lengths_of_parts(watch::part_lengths::shape::gathered, in == MPI_IN_PLACE ? -1 : count,     \
                                            type, counts, out_type, root, comm);                                       \
         }))                                                                                                           \
    FORM(Scatter, Iscatter,                                                                                            \
         (void const* in, number count, MPI_Datatype type, void* out, number out_count, MPI_Datatype out_type,         \
          int root, MPI_Comm comm),                                                                                    \
         (in, count, type, out, out_count, out_type, root, comm),                                                      \
         (scatter(entry, in, nullptr, count, nullptr, type, out, out_count, out_type, root, comm)),        \
         (out == MPI_IN_PLACE ? count : out_count, out == MPI_IN_PLACE ? type : out_type, MPI_OP_NULL, root, true),    \
         (watch::observer::none))                                                                                      \
    FORM(Scatterv, Iscatterv,                                                                                          \
         (void const* in, number const counts[], place const places[], MPI_Datatype type, void* out, number out_count, \
          MPI_Datatype out_type, int root, MPI_Comm comm),                                                             \
         (in, counts, places, type, out, out_count, out_type, root, comm),                                             \
         (scatter(entry, in, counts, 0, places, type, out, out_count, out_type, root, comm)),             \
         (out == MPI_IN_PLACE ? -1 : out_count, out_type, MPI_OP_NULL, root, false), ([=] {                            \
             return watch::lengths_of_parts(watch::part_lengths::shape::scattered,                                     \
                                            out == MPI_IN_PLACE ? -1 : out_count, out_type, counts, type, root, comm); \
         }))                                                                                                           \
    FORM(Allgather, Iallgather,                                                                                        \
         (void const* in, number count, MPI_Datatype type, void* out, number out_count, MPI_Datatype out_type,         \
          MPI_Comm comm),                                                                                              \
         (in, count, type, out, out_count, out_type, comm),                                                            \
         (all_gather(entry, in, count, type, out, nullptr, out_count, nullptr, out_type, comm)),        \
         (out_count, out_type, MPI_OP_NULL, no_root, true), (watch::observer::none))                                   \
    FORM(Allgatherv, Iallgatherv,                                                                                      \
         (void const* in, number count, MPI_Datatype type, void* out, number const counts[], place const places[],     \
          MPI_Datatype out_type, MPI_Comm comm),                                                                       \
         (in, count, type, out, counts, places, out_type, comm),                                                       \
         (all_gather(entry, in, count, type, out, counts, 0, places, out_type, comm)),                 \
         (total(counts, comm), out_type, MPI_OP_NULL, no_root, true),                                           \
         ([=] { return watch::lengths_of_all(counts, out_type, comm); }))                                              \
    FORM(Alltoall, Ialltoall,                                                                                          \
         (void const* in, number count, MPI_Datatype type, void* out, number out_count, MPI_Datatype out_type,         \
          MPI_Comm comm),                                                                                              \
         (in, count, type, out, out_count, out_type, comm), (reason::not_tuttis),                         \
         (out_count, out_type, MPI_OP_NULL, no_root, true), (watch::observer::none))                                   \
    FORM(Alltoallv, Ialltoallv,                                                                                        \
         (void const* in, number const counts[], place const places[], MPI_Datatype type, void* out,                   \
          number const out_counts[], place const out_places[], MPI_Datatype out_type, MPI_Comm comm),                  \
         (in, counts, places, type, out, out_counts, out_places, out_type, comm), (reason::not_tuttis),   \
         (total(out_counts, comm), out_type, MPI_OP_NULL, no_root, false),                                      \
         ([=] { return watch::lengths_all_to_all(in == MPI_IN_PLACE, counts, type, out_counts, out_type, comm); }))    \
    FORM(Alltoallw, Ialltoallw,                                                                                        \
         (void const* in, number const counts[], place const places[], MPI_Datatype const types[], void* out,          \
          number const out_counts[], place const out_places[], MPI_Datatype const out_types[], MPI_Comm comm),         \
         (in, counts, places, types, out, out_counts, out_places, out_types, comm), (reason::not_tuttis),              \
         (-1, MPI_DATATYPE_NULL, MPI_OP_NULL, no_root, false),                                                         \
         ([=] { return watch::lengths_all_to_all(in == MPI_IN_PLACE, counts, types, out_counts, out_types, comm); }))

#define TUTTI_STRIP(...) __VA_ARGS__
#define TUTTI_FACTS(name, ...) watch::facts_of("MPI_" #name, comm, __VA_ARGS__)
#define TUTTI_FACTS_OF(name, facts) TUTTI_FACTS(name, TUTTI_STRIP facts)
#define TUTTI_BLOCKING(name, i_name, parameters, arguments, take, facts, lengths)                                      \
    extern "C" int tutti_MPI_##name(void* site, TUTTI_STRIP parameters) {                                              \
        static constexpr auto which = function_of("MPI_" #name);                                                       \
        return performer::collective(                                                                                  \
            which, TUTTI_FACTS_OF(name, facts), site, lengths, [=]([[maybe_unused]] call_entry& entry) -> result { return TUTTI_STRIP take; },           \
            [=] { return PMPI_##name arguments; });                                                                    \
    }
#define TUTTI_NONBLOCKING(name, i_name, parameters, arguments, take, facts, lengths)                                   \
    extern "C" int tutti_watch_MPI_##i_name(void* site, TUTTI_STRIP parameters, MPI_Request* request) {                \
        return watch::observer::begun(TUTTI_FACTS_OF(i_name, facts), request, site, lengths,                           \
                                      [&] { return PMPI_##i_name(TUTTI_STRIP arguments, request); });                  \
    }
#define TUTTI_LARGE_BLOCKING(name, i_name, ...) TUTTI_BLOCKING(name##_c, i_name##_c, __VA_ARGS__)
#define TUTTI_LARGE_NONBLOCKING(name, i_name, ...) TUTTI_NONBLOCKING(name##_c, i_name##_c, __VA_ARGS__)

namespace tutti::preload {

inline constexpr int no_root = watch::call_facts::none;

/// The sum of all ranks' counts.
[[nodiscard]] inline MPI_Count total(integers counts, MPI_Comm comm) {
    auto const ranks = !counts  ? 0
                       : is_on() ? static_cast<std::size_t>(ranks_of(comm))
                                 : watch::observed_ranks(comm);
    MPI_Count sum = ranks != 0 ? 0 : -1;
    for (std::size_t r = 0; r != ranks; ++r) { sum += counts[r]; }
    return sum;
}

// With C linkage a function is the same in each namespace.
namespace int_counts {
using number = int;
using place = int;
TUTTI_COLLECTIVES(TUTTI_BLOCKING)
TUTTI_COLLECTIVES(TUTTI_NONBLOCKING)
}  // namespace int_counts

#if MPI_VERSION >= 4
namespace large_counts {
using number = MPI_Count;
using place = MPI_Aint;
TUTTI_COLLECTIVES(TUTTI_LARGE_BLOCKING)
TUTTI_COLLECTIVES(TUTTI_LARGE_NONBLOCKING)
}  // namespace large_counts
#endif

}  // namespace tutti::preload

#undef TUTTI_LARGE_NONBLOCKING
#undef TUTTI_LARGE_BLOCKING
#undef TUTTI_NONBLOCKING
#undef TUTTI_BLOCKING
#undef TUTTI_FACTS_OF
#undef TUTTI_FACTS
#undef TUTTI_STRIP
#undef TUTTI_COLLECTIVES
