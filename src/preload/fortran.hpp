// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

// Functions for Fortran that call those of MPI's profiling interface, and so are taken themselves: all of Open MPI, and
// those without buffers of MPICH's module mpi_f08. MPICH's others call MPI's own functions, which are taken. Defined,
// for one translation unit, as in collectives.hpp, which comes first.

#include <array>
#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

#include <preload/collectives.hpp>
#include <preload/performer.hpp>
#include <watch/functions.hpp>

#ifdef OPEN_MPI

extern "C" {

// Where Fortran has MPI_IN_PLACE and MPI_BOTTOM.
extern int mpi_fortran_in_place_ __attribute__((weak));
extern int mpi_fortran_bottom_ __attribute__((weak));

}  // extern "C"

namespace tutti::preload {

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
void call_from_fortran(int (*function)(void*, Parameters...), void* site, void* code, Arguments... arguments) {
    int const value = function(site, from_fortran<Parameters>(arguments)...);
    if (code != nullptr) { *static_cast<MPI_Fint*>(code) = value; }
}

[[nodiscard]] inline int init_from_fortran(void* site) { return tutti_MPI_Init(site, nullptr, nullptr); }
[[nodiscard]] inline int init_thread_from_fortran(void* site, int asked, void* provided) {
    return tutti_MPI_Init_thread(site, nullptr, nullptr, asked, static_cast<int*>(provided));
}

}  // namespace tutti::preload

#endif

namespace tutti::preload {

/// The arguments of a function of Fortran that is watched: which of them, from 0, are what. Its last is the error code,
/// before that comes what is made, or a request; behind these come the lengths of texts.
struct fortran_positions {
    char const* name;
    int count = none;
    int type = none;
    int op = none;
    int peer = none;
    int comm = none;
    int tag = none;
    int lengths = 0;  ///< of texts
    int made = 1;     ///< how far before the code it is

    static constexpr int none = -1;
};

/// The error code, the last but `behind` of a function's arguments.
template <std::size_t n>
[[nodiscard]] void*& code_in(std::array<void*, n>& all, std::size_t behind = 0) {
    return all[n - 1 - behind];
}
/// Which the module mpi_f08 need not give.
template <std::size_t n>
void return_code(int code, std::array<void*, n>& all, std::size_t behind = 0) {
    if (auto* const to = code_in(all, behind)) { *static_cast<MPI_Fint*>(to) = code; }
}

template <std::size_t n>
[[nodiscard]] watch::call_facts facts_from_fortran(fortran_positions const& at, std::array<void*, n> const& all) {
    auto const value = [&](int place) { return *static_cast<MPI_Fint*>(all[static_cast<std::size_t>(place)]); };
    watch::call_facts facts{at.name};
    if (at.comm != at.none) { facts.comm = PMPI_Comm_f2c(value(at.comm)); }
    if (at.count != at.none) { facts.count = value(at.count); }
    if (at.type != at.none) { facts.type = PMPI_Type_f2c(value(at.type)); }
    if (at.op != at.none) { facts.op = PMPI_Op_f2c(value(at.op)); }
    if (at.peer != at.none) { facts.peer = value(at.peer); }
    if (at.tag != at.none) { facts.tag = value(at.tag); }
    return facts;
}

/// Calls MPI's own function for Fortran; its error code.
template <std::size_t n, std::size_t... i>
[[nodiscard]] int call_next(char const* name, std::array<void*, n> all, std::size_t behind, std::index_sequence<i...>) {
    auto const function =
        reinterpret_cast<void (*)(decltype(static_cast<void>(i), static_cast<void*>(nullptr))...)>(next(name));
    MPI_Fint code = MPI_SUCCESS;
    auto*& to = code_in(all, behind);
    if (to == nullptr) { to = &code; }
    function(all[i]...);
    return *static_cast<MPI_Fint*>(to);
}
template <std::size_t n>
[[nodiscard]] int call_next(char const* name, std::array<void*, n> const& all, std::size_t behind = 0) {
    return call_next(name, all, behind, std::make_index_sequence<n>{});
}

/// Functions in which a rank may wait for a message.
template <std::size_t n>
void other_from_fortran(char const* next_name, fortran_positions const& at, void* site, std::array<void*, n> all) {
    return_code(watch::observer::other(facts_from_fortran(at, all), site, [&] { return call_next(next_name, all); }),
                all);
}

/// Collectives that tutti does not perform.
template <std::size_t n>
void collective_from_fortran(char const* next_name, fortran_positions const& at, void* site, std::array<void*, n> all) {
    auto facts = facts_from_fortran(at, all);
    facts.equal = false;
    auto const call = [&] { return call_next(next_name, all); };
    return_code(watch::observer::collective(facts, site, watch::observer::none, call), all);
}

/// Nonblocking collectives: the request comes before the error code.
template <std::size_t n>
void begun_from_fortran(char const* next_name, fortran_positions const& at, void* site, std::array<void*, n> all) {
    MPI_Request request = MPI_REQUEST_NULL;
    auto facts = facts_from_fortran(at, all);
    facts.equal = at.op != at.none;
    int const result = watch::observer::begun(facts, &request, site, watch::observer::none, [&] {
        int const code = call_next(next_name, all);
        request = PMPI_Request_f2c(*static_cast<MPI_Fint*>(all[n - 2]));
        return code;
    });
    return_code(result, all);
}

/// Ends of such calls: of one request, or of several, whose number comes first.
template <std::size_t n>
void completion_from_fortran(char const* next_name, char const* name, watch::observer::until end, bool several,
                             void* site, std::array<void*, n> all) {
    int const count = several ? *static_cast<MPI_Fint*>(all[0]) : 1;
    auto* const given = static_cast<MPI_Fint*>(all[several ? 1 : 0]);
    std::vector<MPI_Request> requests(static_cast<std::size_t>(std::max(count, 0)));
    auto const convert = [&] {
        for (std::size_t i = 0; i != requests.size(); ++i) { requests[i] = PMPI_Request_f2c(given[i]); }
    };
    if (watch::observer::is_on()) { convert(); }
    int const result = watch::observer::completion(name, end, count, requests.data(), site, [&] {
        int const code = call_next(next_name, all);
        if (watch::observer::is_on()) { convert(); }
        return code;
    });
    return_code(result, all);
}

/// Functions that make a communicator: calls `how(facts, made, call)`.
template <std::size_t n, class How>
void made_from_fortran(char const* next_name, fortran_positions const& at, std::array<void*, n> all, How how) {
    auto const behind = static_cast<std::size_t>(at.lengths);
    MPI_Comm made = MPI_COMM_NULL;
    int const result = how(facts_from_fortran(at, all), &made, [&] {
        int const code = call_next(next_name, all, behind);
        auto* const argument = all[n - 1 - behind - static_cast<std::size_t>(at.made)];
        if (code == MPI_SUCCESS) { made = PMPI_Comm_f2c(*static_cast<MPI_Fint*>(argument)); }
        return code;
    });
    return_code(result, all, behind);
}

template <std::size_t n>
void making_from_fortran(char const* next_name, fortran_positions const& at, void* site, std::array<void*, n> all) {
    made_from_fortran(next_name, at, all, [&](auto const& facts, MPI_Comm* made, auto call) {
        return watch::observer::making(facts, made, site, call);
    });
}
template <std::size_t n>
void begun_making_from_fortran(char const* next_name, fortran_positions const& at, void* site,
                               std::array<void*, n> all) {
    made_from_fortran(next_name, at, all, [&](auto const& facts, MPI_Comm* made, auto call) {
        MPI_Request request = MPI_REQUEST_NULL;
        return watch::observer::begun_making(facts, made, &request, site, [&] {
            int const code = call();
            request = PMPI_Request_f2c(*static_cast<MPI_Fint*>(all[n - 2]));
            return code;
        });
    });
}

/// What ranks have in common that make a communicator, and know none in common: a tag.
template <std::size_t n>
[[nodiscard]] std::string word_from_fortran(fortran_positions const& at, std::array<void*, n> const& all) {
    if (at.tag == at.none) { return {}; }
    return "tag " + std::to_string(*static_cast<MPI_Fint*>(all[static_cast<std::size_t>(at.tag)]));
}
template <std::size_t n>
void making_by_some_from_fortran(char const* next_name, fortran_positions at, char const* word, void* site,
                                 std::array<void*, n> all) {
    auto const text = word + word_from_fortran(at, all);
    at.tag = at.none;
    made_from_fortran(next_name, at, all, [&](auto const& facts, MPI_Comm* made, auto call) {
        return watch::observer::making_by_some(facts, text, made, site, call);
    });
}
template <std::size_t n>
void making_between_from_fortran(char const* next_name, fortran_positions at, char const* word, void* site,
                                 std::array<void*, n> all) {
    auto const text = word + word_from_fortran(at, all);
    at.tag = at.none;
    made_from_fortran(next_name, at, all, [&](auto const& facts, MPI_Comm* made, auto call) {
        return watch::observer::making_between(facts, text, made, site, call);
    });
}

inline void freeing_from_fortran(char const* next_name, char const* name, void* site, std::array<void*, 2> all) {
    MPI_Comm comm = PMPI_Comm_f2c(*static_cast<MPI_Fint*>(all[0]));
    return_code(watch::observer::freeing(name, &comm, site, [&] { return call_next(next_name, all); }), all);
}

/// Where MPI's own function has to initialise Fortran, too.
template <std::size_t n>
void init_from_fortran(char const* next_name, void*, std::array<void*, n> all) {
    roll_call::get().announce();
    if (call_next(next_name, all) == MPI_SUCCESS) { begin(); }
}
inline void finalize_from_fortran(char const* next_name, void* site, std::array<void*, 1> all) {
    static_cast<void>(watch::observer::ending(site, [&] {
        auto const code = call_next(next_name, all);
        tuning_file::write();
        return code;
    }));
}
inline void barrier_from_fortran(char const* next_name, void* site, std::array<void*, 2> all) {
    auto const comm = PMPI_Comm_f2c(*static_cast<MPI_Fint*>(all[0]));
    int const code = performer::collective(
        function::barrier, {"MPI_Barrier", comm}, site, watch::observer::none, [&](call_entry& entry) { return barrier(entry, comm); },
        [&] { return call_next(next_name, all); });
    if (all[1] != nullptr) { *static_cast<MPI_Fint*>(all[1]) = code; }
}

inline void abort_from_fortran(char const* next_name, void* site, std::array<void*, 3> all) {
    if (watch::observer::watches()) { watch::last_words::speak("calls MPI_Abort", site); }
    static_cast<void>(call_next(next_name, all));
}

}  // namespace tutti::preload

// Fortran passes addresses only, the error code's last.
#define TUTTI_ADDRESSES_1 void* a
#define TUTTI_VALUES_1 a
#define TUTTI_ADDRESSES_2 TUTTI_ADDRESSES_1, void* b
#define TUTTI_VALUES_2 TUTTI_VALUES_1, b
#define TUTTI_ADDRESSES_3 TUTTI_ADDRESSES_2, void* c
#define TUTTI_VALUES_3 TUTTI_VALUES_2, c
#define TUTTI_ADDRESSES_4 TUTTI_ADDRESSES_3, void* d
#define TUTTI_VALUES_4 TUTTI_VALUES_3, d
#define TUTTI_ADDRESSES_5 TUTTI_ADDRESSES_4, void* e
#define TUTTI_VALUES_5 TUTTI_VALUES_4, e
#define TUTTI_ADDRESSES_6 TUTTI_ADDRESSES_5, void* f
#define TUTTI_VALUES_6 TUTTI_VALUES_5, f
#define TUTTI_ADDRESSES_7 TUTTI_ADDRESSES_6, void* g
#define TUTTI_VALUES_7 TUTTI_VALUES_6, g
#define TUTTI_ADDRESSES_8 TUTTI_ADDRESSES_7, void* h
#define TUTTI_VALUES_8 TUTTI_VALUES_7, h
#define TUTTI_ADDRESSES_9 TUTTI_ADDRESSES_8, void* i
#define TUTTI_VALUES_9 TUTTI_VALUES_8, i
#define TUTTI_ADDRESSES_10 TUTTI_ADDRESSES_9, void* j
#define TUTTI_VALUES_10 TUTTI_VALUES_9, j
#define TUTTI_ADDRESSES_11 TUTTI_ADDRESSES_10, void* k
#define TUTTI_VALUES_11 TUTTI_VALUES_10, k
#define TUTTI_ADDRESSES_12 TUTTI_ADDRESSES_11, void* l
#define TUTTI_VALUES_12 TUTTI_VALUES_11, l
#define TUTTI_ADDRESSES_13 TUTTI_ADDRESSES_12, void* m
#define TUTTI_VALUES_13 TUTTI_VALUES_12, m
#define TUTTI_AT tutti::preload::fortran_positions
#define TUTTI_UNTIL tutti::watch::observer::until
#ifdef OPEN_MPI
#define TUTTI_FORTRAN(name, number, function)                                                                          \
    extern "C" void tutti_ompi_##name##_f(void* site, TUTTI_ADDRESSES_##number, void* code) {                          \
        tutti::preload::call_from_fortran(function, site, code, TUTTI_VALUES_##number);                            \
    }
#define TUTTI_FORTRAN_ALONE(name, function)                                                                            \
    extern "C" void tutti_ompi_##name##_f(void* site, void* code) {                                                    \
        tutti::preload::call_from_fortran(function, site, code);                                                   \
    }
#define TUTTI_SYMBOL(name) tutti_watch_ompi_##name##_f
#define TUTTI_NEXT(name) "ompi_" #name "_f"
#else
#define TUTTI_SYMBOL(name) tutti_watch_mpi_##name##_f08
#define TUTTI_NEXT(name) "mpi_" #name "_f08_"
#endif
#define TUTTI_WATCHED(how, name, number, ...)                                                                          \
    extern "C" void TUTTI_SYMBOL(name)(void* site, TUTTI_ADDRESSES_##number) {                                         \
        tutti::preload::how##_from_fortran(TUTTI_NEXT(name), __VA_ARGS__, site,                                    \
                                               std::array{TUTTI_VALUES_##number});                                     \
    }
#define TUTTI_WATCHED_ALONE(how, name, number)                                                                         \
    extern "C" void TUTTI_SYMBOL(name)(void* site, TUTTI_ADDRESSES_##number) {                                         \
        tutti::preload::how##_from_fortran(TUTTI_NEXT(name), site, std::array{TUTTI_VALUES_##number});             \
    }

#ifdef OPEN_MPI
TUTTI_FORTRAN(allreduce, 6, tutti::preload::int_counts::tutti_MPI_Allreduce)
TUTTI_FORTRAN(reduce, 7, tutti::preload::int_counts::tutti_MPI_Reduce)
TUTTI_FORTRAN(reduce_scatter, 6, tutti::preload::int_counts::tutti_MPI_Reduce_scatter)
TUTTI_FORTRAN(reduce_scatter_block, 6, tutti::preload::int_counts::tutti_MPI_Reduce_scatter_block)
TUTTI_FORTRAN(scan, 6, tutti::preload::int_counts::tutti_MPI_Scan)
TUTTI_FORTRAN(exscan, 6, tutti::preload::int_counts::tutti_MPI_Exscan)
TUTTI_FORTRAN(bcast, 5, tutti::preload::int_counts::tutti_MPI_Bcast)
TUTTI_FORTRAN(gather, 8, tutti::preload::int_counts::tutti_MPI_Gather)
TUTTI_FORTRAN(gatherv, 9, tutti::preload::int_counts::tutti_MPI_Gatherv)
TUTTI_FORTRAN(scatter, 8, tutti::preload::int_counts::tutti_MPI_Scatter)
TUTTI_FORTRAN(scatterv, 9, tutti::preload::int_counts::tutti_MPI_Scatterv)
TUTTI_FORTRAN(allgather, 7, tutti::preload::int_counts::tutti_MPI_Allgather)
TUTTI_FORTRAN(allgatherv, 8, tutti::preload::int_counts::tutti_MPI_Allgatherv)
TUTTI_FORTRAN(alltoall, 7, tutti::preload::int_counts::tutti_MPI_Alltoall)
TUTTI_FORTRAN(alltoallv, 9, tutti::preload::int_counts::tutti_MPI_Alltoallv)
TUTTI_FORTRAN(barrier, 1, tutti_MPI_Barrier)
TUTTI_FORTRAN_ALONE(finalize, tutti_MPI_Finalize)
TUTTI_FORTRAN_ALONE(init, tutti::preload::init_from_fortran)
TUTTI_FORTRAN(init_thread, 2, tutti::preload::init_thread_from_fortran)

TUTTI_WATCHED(begun, iallreduce, 8, (TUTTI_AT{.name = "MPI_Iallreduce", .count = 2, .type = 3, .op = 4, .comm = 5}))
TUTTI_WATCHED(begun, ireduce, 9,
              (TUTTI_AT{.name = "MPI_Ireduce", .count = 2, .type = 3, .op = 4, .peer = 5, .comm = 6}))
TUTTI_WATCHED(begun, ireduce_scatter, 8, (TUTTI_AT{.name = "MPI_Ireduce_scatter", .type = 3, .op = 4, .comm = 5}))
TUTTI_WATCHED(begun, ireduce_scatter_block, 8,
              (TUTTI_AT{.name = "MPI_Ireduce_scatter_block", .count = 2, .type = 3, .op = 4, .comm = 5}))
TUTTI_WATCHED(begun, iscan, 8, (TUTTI_AT{.name = "MPI_Iscan", .count = 2, .type = 3, .op = 4, .comm = 5}))
TUTTI_WATCHED(begun, iexscan, 8, (TUTTI_AT{.name = "MPI_Iexscan", .count = 2, .type = 3, .op = 4, .comm = 5}))
TUTTI_WATCHED(begun, ibcast, 7, (TUTTI_AT{.name = "MPI_Ibcast", .count = 1, .type = 2, .peer = 3, .comm = 4}))
TUTTI_WATCHED(begun, igather, 10, (TUTTI_AT{.name = "MPI_Igather", .peer = 6, .comm = 7}))
TUTTI_WATCHED(begun, igatherv, 11, (TUTTI_AT{.name = "MPI_Igatherv", .peer = 7, .comm = 8}))
TUTTI_WATCHED(begun, iscatter, 10, (TUTTI_AT{.name = "MPI_Iscatter", .peer = 6, .comm = 7}))
TUTTI_WATCHED(begun, iscatterv, 11, (TUTTI_AT{.name = "MPI_Iscatterv", .peer = 7, .comm = 8}))
TUTTI_WATCHED(begun, iallgather, 9, (TUTTI_AT{.name = "MPI_Iallgather", .comm = 6}))
TUTTI_WATCHED(begun, iallgatherv, 10, (TUTTI_AT{.name = "MPI_Iallgatherv", .comm = 7}))
TUTTI_WATCHED(begun, ialltoall, 9, (TUTTI_AT{.name = "MPI_Ialltoall", .comm = 6}))
TUTTI_WATCHED(begun, ialltoallv, 11, (TUTTI_AT{.name = "MPI_Ialltoallv", .comm = 8}))
TUTTI_WATCHED(begun, ialltoallw, 11, (TUTTI_AT{.name = "MPI_Ialltoallw", .comm = 8}))
TUTTI_WATCHED(collective, alltoallw, 10, (TUTTI_AT{.name = "MPI_Alltoallw", .comm = 8}))
TUTTI_WATCHED(other, send, 7, (TUTTI_AT{.name = "MPI_Send", .count = 1, .type = 2, .peer = 3, .comm = 5, .tag = 4}))
TUTTI_WATCHED(other, ssend, 7, (TUTTI_AT{.name = "MPI_Ssend", .count = 1, .type = 2, .peer = 3, .comm = 5, .tag = 4}))
TUTTI_WATCHED(other, recv, 8, (TUTTI_AT{.name = "MPI_Recv", .peer = 3, .comm = 5, .tag = 4}))
TUTTI_WATCHED(other, sendrecv, 13, (TUTTI_AT{.name = "MPI_Sendrecv", .peer = 8, .comm = 10, .tag = 9}))
#else
TUTTI_WATCHED_ALONE(barrier, barrier, 2)
TUTTI_WATCHED_ALONE(init, init, 1)
TUTTI_WATCHED_ALONE(init, init_thread, 3)
TUTTI_WATCHED_ALONE(finalize, finalize, 1)
#endif

TUTTI_WATCHED(begun, ibarrier, 3, (TUTTI_AT{.name = "MPI_Ibarrier", .comm = 0}))
TUTTI_WATCHED(begun_making, comm_idup, 4, (TUTTI_AT{.name = "MPI_Comm_idup", .comm = 0, .made = 2}))
TUTTI_WATCHED(begun_making, comm_idup_with_info, 5, (TUTTI_AT{.name = "MPI_Comm_idup_with_info", .comm = 0, .made = 2}))
TUTTI_WATCHED(other, probe, 5, (TUTTI_AT{.name = "MPI_Probe", .peer = 0, .comm = 2, .tag = 1}))
TUTTI_WATCHED(completion, wait, 3, "MPI_Wait", TUTTI_UNTIL::all, false)
TUTTI_WATCHED(completion, waitall, 4, "MPI_Waitall", TUTTI_UNTIL::all, true)
TUTTI_WATCHED(completion, waitany, 5, "MPI_Waitany", TUTTI_UNTIL::any, true)
TUTTI_WATCHED(completion, waitsome, 6, "MPI_Waitsome", TUTTI_UNTIL::any, true)
TUTTI_WATCHED(completion, test, 4, "MPI_Test", TUTTI_UNTIL::nothing, false)
TUTTI_WATCHED(completion, testall, 5, "MPI_Testall", TUTTI_UNTIL::nothing, true)
TUTTI_WATCHED(completion, testany, 6, "MPI_Testany", TUTTI_UNTIL::nothing, true)
TUTTI_WATCHED(completion, testsome, 6, "MPI_Testsome", TUTTI_UNTIL::nothing, true)
TUTTI_WATCHED(completion, request_free, 2, "MPI_Request_free", TUTTI_UNTIL::nothing, false)
TUTTI_WATCHED(making, comm_dup, 3, (TUTTI_AT{.name = "MPI_Comm_dup", .comm = 0}))
TUTTI_WATCHED(making, comm_dup_with_info, 4, (TUTTI_AT{.name = "MPI_Comm_dup_with_info", .comm = 0}))
TUTTI_WATCHED(making, comm_split, 5, (TUTTI_AT{.name = "MPI_Comm_split", .comm = 0}))
TUTTI_WATCHED(making, comm_split_type, 6, (TUTTI_AT{.name = "MPI_Comm_split_type", .comm = 0}))
TUTTI_WATCHED(making, comm_create, 4, (TUTTI_AT{.name = "MPI_Comm_create", .comm = 0}))
TUTTI_WATCHED(making, cart_create, 7, (TUTTI_AT{.name = "MPI_Cart_create", .comm = 0}))
TUTTI_WATCHED(making, cart_sub, 4, (TUTTI_AT{.name = "MPI_Cart_sub", .comm = 0}))
TUTTI_WATCHED(making, graph_create, 7, (TUTTI_AT{.name = "MPI_Graph_create", .comm = 0}))
TUTTI_WATCHED(making, dist_graph_create, 10, (TUTTI_AT{.name = "MPI_Dist_graph_create", .comm = 0}))
TUTTI_WATCHED(making, dist_graph_create_adjacent, 11, (TUTTI_AT{.name = "MPI_Dist_graph_create_adjacent", .comm = 0}))
TUTTI_WATCHED(making, intercomm_merge, 4, (TUTTI_AT{.name = "MPI_Intercomm_merge", .comm = 0}))
TUTTI_WATCHED(making, comm_spawn, 11,
              (TUTTI_AT{.name = "MPI_Comm_spawn", .peer = 4, .comm = 5, .lengths = 2, .made = 2}))
TUTTI_WATCHED(making, comm_spawn_multiple, 12,
              (TUTTI_AT{.name = "MPI_Comm_spawn_multiple", .peer = 5, .comm = 6, .lengths = 2, .made = 2}))
TUTTI_WATCHED(making_by_some, comm_create_group, 5, (TUTTI_AT{.name = "MPI_Comm_create_group", .comm = 0, .tag = 2}),
              "")
TUTTI_WATCHED(making_between, intercomm_create, 7,
              (TUTTI_AT{.name = "MPI_Intercomm_create", .peer = 1, .comm = 0, .tag = 4}), "between, ")
TUTTI_WATCHED(making_between, comm_accept, 7, (TUTTI_AT{.name = "MPI_Comm_accept", .peer = 2, .comm = 3, .lengths = 1}),
              "port")
TUTTI_WATCHED(making_between, comm_connect, 7,
              (TUTTI_AT{.name = "MPI_Comm_connect", .peer = 2, .comm = 3, .lengths = 1}), "port")
TUTTI_WATCHED(making_by_some, comm_join, 3, (TUTTI_AT{.name = "MPI_Comm_join"}), "join")
TUTTI_WATCHED(freeing, comm_free, 2, "MPI_Comm_free")
TUTTI_WATCHED(freeing, comm_disconnect, 2, "MPI_Comm_disconnect")
TUTTI_WATCHED_ALONE(abort, abort, 3)

#undef TUTTI_UNTIL
#undef TUTTI_AT
#undef TUTTI_WATCHED_ALONE
#undef TUTTI_WATCHED
#undef TUTTI_NEXT
#undef TUTTI_SYMBOL
#undef TUTTI_FORTRAN_ALONE
#undef TUTTI_FORTRAN
