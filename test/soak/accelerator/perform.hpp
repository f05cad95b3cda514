// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <array>
#include <cstddef>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <mpi.h>

/// MPI's collectives in all forms.
namespace soak {

enum class routine {
#define TUTTI_PERFORMED(FORM, Name, name, ...) name,
#define TUTTI_FUNCTION(...)
#include <pmpi/functions.def>
};
inline constexpr char const* names_of_routines[] = {
#define TUTTI_PERFORMED(FORM, Name, ...) #Name,
#define TUTTI_FUNCTION(...)
#include <pmpi/functions.def>
};
inline constexpr int routines = std::size(names_of_routines);

enum class form { blocking, nonblocking, persistent };

/// Arguments of MPI's functions; `out` is what a broadcast has. Counts and displacements stay where they are while a
/// call is under way.
struct arguments {
    void const* in = nullptr;
    int in_count = 0;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    void* out = nullptr;
    int out_count = 0;
    MPI_Datatype out_type = MPI_DATATYPE_NULL;
    std::vector<int> counts;
    std::vector<int> displacements;
    MPI_Op op = MPI_OP_NULL;
    int root = 0;
    MPI_Comm comm = MPI_COMM_NULL;
#if MPI_VERSION >= 4
    std::vector<MPI_Count> large_counts;
    std::vector<MPI_Aint> large_displacements;
#endif
};

#define SOAK_SWITCH(CALL, counts, displacements)                                                                       \
    switch (which) {                                                                                                   \
    case routine::allreduce: return CALL(Allreduce, allreduce, a.in, a.out, a.in_count, a.type, a.op, a.comm);        \
    case routine::reduce: return CALL(Reduce, reduce, a.in, a.out, a.in_count, a.type, a.op, a.root, a.comm);          \
    case routine::reduce_scatter:                                                                                      \
        return CALL(Reduce_scatter, reduce_scatter, a.in, a.out, counts, a.type, a.op, a.comm);                        \
    case routine::reduce_scatter_block:                                                                                \
        return CALL(Reduce_scatter_block, reduce_scatter_block, a.in, a.out, a.in_count, a.type, a.op, a.comm);        \
    case routine::scan: return CALL(Scan, scan, a.in, a.out, a.in_count, a.type, a.op, a.comm);                        \
    case routine::exscan: return CALL(Exscan, exscan, a.in, a.out, a.in_count, a.type, a.op, a.comm);                  \
    case routine::bcast: return CALL(Bcast, bcast, a.out, a.out_count, a.out_type, a.root, a.comm);                \
    case routine::gather:                                                                                              \
        return CALL(Gather, gather, a.in, a.in_count, a.type, a.out, a.out_count, a.out_type, a.root, a.comm);         \
    case routine::gatherv:                                                                                             \
        return CALL(Gatherv, gatherv, a.in, a.in_count, a.type, a.out, counts, displacements, a.out_type, a.root,      \
                    a.comm);                                                                                           \
    case routine::scatter:                                                                                             \
        return CALL(Scatter, scatter, a.in, a.in_count, a.type, a.out, a.out_count, a.out_type, a.root, a.comm);       \
    case routine::scatterv:                                                                                            \
        return CALL(Scatterv, scatterv, a.in, counts, displacements, a.type, a.out, a.out_count, a.out_type, a.root,   \
                    a.comm);                                                                                           \
    case routine::allgather:                                                                                          \
        return CALL(Allgather, allgather, a.in, a.in_count, a.type, a.out, a.out_count, a.out_type, a.comm);           \
    case routine::allgatherv:                                                                                         \
        return CALL(Allgatherv, allgatherv, a.in, a.in_count, a.type, a.out, counts, displacements, a.out_type,        \
                    a.comm);                                                                                           \
    default: break;                                                                                                    \
    }

#define SOAK_BY_MPI(Name, name, ...) PMPI_##Name(__VA_ARGS__)
#define SOAK_BEGUN_BY_MPI(Name, name, ...) PMPI_I##name(__VA_ARGS__, request)
#define SOAK_BLOCKING(Name, name, ...) MPI_##Name(__VA_ARGS__)
#define SOAK_NONBLOCKING(Name, name, ...) MPI_I##name(__VA_ARGS__, request)
#define SOAK_PERSISTENT(Name, name, ...) MPI_##Name##_init(__VA_ARGS__, MPI_INFO_NULL, request)
#define SOAK_LARGE_BLOCKING(Name, name, ...) MPI_##Name##_c(__VA_ARGS__)
#define SOAK_LARGE_NONBLOCKING(Name, name, ...) MPI_I##name##_c(__VA_ARGS__, request)
#define SOAK_LARGE_PERSISTENT(Name, name, ...) MPI_##Name##_init_c(__VA_ARGS__, MPI_INFO_NULL, request)

/// Begins a call by MPI's profiling interface, which no library intercepts.
inline int begin_by_mpi(routine which, arguments const& a, MPI_Request* request) {
    SOAK_SWITCH(SOAK_BEGUN_BY_MPI, a.counts.data(), a.displacements.data())
    return PMPI_Ibarrier(a.comm, request);
}

/// Performs a call by it.
inline int perform_by_mpi(routine which, form how, arguments const& a) {
    if (how == form::blocking) {
        SOAK_SWITCH(SOAK_BY_MPI, a.counts.data(), a.displacements.data())
        return PMPI_Barrier(a.comm);
    }
    MPI_Request request = MPI_REQUEST_NULL;
    int const code = begin_by_mpi(which, a, &request);
    return code == MPI_SUCCESS ? PMPI_Wait(&request, MPI_STATUS_IGNORE) : code;
}

/// Performs or begins a call, or makes one that can be started. Each `Site` is another place in the program.
template <std::size_t Site>
[[gnu::noinline]] int perform_at(routine which, form how, bool large, arguments const& a, MPI_Request* request) {
    asm volatile("" : : "i"(Site));  // so that the compiler does not make one function of all
    if (how == form::blocking && !large) {
        SOAK_SWITCH(SOAK_BLOCKING, a.counts.data(), a.displacements.data())
        return MPI_Barrier(a.comm);
    }
    if (how == form::nonblocking && !large) {
        SOAK_SWITCH(SOAK_NONBLOCKING, a.counts.data(), a.displacements.data())
        return MPI_Ibarrier(a.comm, request);
    }
#if MPI_VERSION >= 4
    if (how == form::persistent && (!large || which == routine::barrier)) {
        SOAK_SWITCH(SOAK_PERSISTENT, a.counts.data(), a.displacements.data())
        return MPI_Barrier_init(a.comm, MPI_INFO_NULL, request);
    }
    if (how == form::blocking) {
        SOAK_SWITCH(SOAK_LARGE_BLOCKING, a.large_counts.data(), a.large_displacements.data())
        return MPI_Barrier(a.comm);
    }
    if (how == form::nonblocking) {
        SOAK_SWITCH(SOAK_LARGE_NONBLOCKING, a.large_counts.data(), a.large_displacements.data())
        return MPI_Ibarrier(a.comm, request);
    }
    SOAK_SWITCH(SOAK_LARGE_PERSISTENT, a.large_counts.data(), a.large_displacements.data())
#endif
    return MPI_ERR_OTHER;
}

inline constexpr std::size_t sites = 12;

inline int perform(std::size_t site, routine which, form how, bool large, arguments const& a, MPI_Request* request) {
    static constexpr auto all = []<std::size_t... Site>(std::index_sequence<Site...>) {
        return std::array{&perform_at<Site>...};
    }(std::make_index_sequence<sites>{});
    return all[site](which, how, large, a, request);
}

#undef SOAK_LARGE_PERSISTENT
#undef SOAK_LARGE_NONBLOCKING
#undef SOAK_LARGE_BLOCKING
#undef SOAK_PERSISTENT
#undef SOAK_NONBLOCKING
#undef SOAK_BLOCKING
#undef SOAK_BEGUN_BY_MPI
#undef SOAK_BY_MPI
#undef SOAK_SWITCH

}  // namespace soak
