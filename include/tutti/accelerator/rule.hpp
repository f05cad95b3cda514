// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <exception>
#include <limits>
#include <optional>

#include <tutti/accelerator/environment.hpp>
#include <tutti/accelerator/exact_operator.hpp>
#include <tutti/accelerator/handles.hpp>
#include <tutti/accelerator/standing.hpp>
#include <tutti/accelerator/watch/recent_call.hpp>
#include <tutti/mpi.hpp>

namespace tutti::accelerator {

/// From how many bytes on the environment wants every call of a function to be taken that tutti can perform; nothing if
/// it does not say.
[[nodiscard]] inline std::optional<std::size_t> wanted_from(function which) {
    auto const& asked = environment::get();
    if (asked.names_some) {
        return asked.named[static_cast<std::size_t>(which)].value_or(std::numeric_limits<std::size_t>::max());
    }
    return asked.all || (asked.reproducible && combines(which)) ? std::optional<std::size_t>{0} : std::nullopt;
}

/// Whether tutti does to an operator what MPI does to it: operators of the user's may take the whole vector for one
/// thing, and keep what they know between calls in memory of their thread. By default tutti does nothing to them that
/// MPI itself never does, see README.md.
struct handling {
    bool takes = true;  ///< the vector, or at least the part of a rank, can stay whole as it does in MPI
    bool cuts = true;   ///< it need not

    handling(function which, MPI_Op op) {
        if (op == MPI_OP_NULL || !is_users(op) || environment::get().cut) { return; }
        bool const open_mpi_cuts = is_open_mpi() && commutes(op);
        cuts = open_mpi_cuts && which == function::all_reduce;
        bool const scatters = which == function::reduce_scatter || which == function::reduce_scatter_block;
        takes = !scatters || !is_open_mpi() || open_mpi_cuts || environment::get().reproducible;
    }
};

/// Bytes from which on tutti performs a call; the largest number for never.
struct bounds {
    static constexpr std::size_t never = std::numeric_limits<std::size_t>::max();

    std::size_t on_one_node = never;
    std::size_t on_several = never;
    std::size_t at_most = never;       ///< bytes; longer ones go to MPI
    std::size_t taking_turns = never;  ///< on one node, where ranks share processors

    [[nodiscard]] std::size_t least() const { return std::min({on_one_node, on_several, taking_turns}); }
    [[nodiscard]] bool hold(std::size_t bytes) const { return bytes >= least() && bytes <= at_most; }
};

/// On one node: the shortest vectors from which on tutti took no more than the time of the library, within 5 % or 30
/// ns, in lengths of 8 B to 1 MiB of doubles: of MPI_Allreduce, Bcast, Reduce, Scan and Allgather in loops of 40 to
/// 2000 calls in turn with MPI's, TUTTI=all, 2 and 4 ranks on two processors, and of OSU's programs of these but Scan,
/// 2 ranks (Intel Xeon, 2026-11-29, Open MPI 4.1 with its copies from process to process, MPICH 4.0; figures in
/// benchmarks/README.md). Of the other functions by tutti's own calls (`./dev bench collectives --loop`). Those on
/// several nodes are of `TUTTI=all ./dev bench collectives --implementations mpi,accelerator` when all its messages
/// went by MPI (AMD EPYC, 2026-11-25). What is not cut gains less, and nothing between nodes: by the same program with
/// `--operators functor --ranks 2 --model default --repetitions 40` (AMD EPYC, 2026-11-26) a user's all-reduce of 1 MiB
/// took 0.7 to 0.9 of the time of Open MPI's and one of 4 MiB up to 1.6, one of 512 KiB 0.6 to 0.8 of MPICH's and one
/// of 1 MiB up to 1.2; a reduce over Open MPI 0.8 to 1.2.
[[nodiscard]] inline bounds bounds_of(function which, bool commutes, bool cuts) {
    constexpr std::size_t kib = 1024;
    constexpr auto never = bounds::never;
    if (!cuts) {
        switch (which) {
        case function::all_reduce:
            return is_open_mpi() ? bounds{16 * kib, never, 1024 * kib, 16 * kib} : bounds{kib, never, 512 * kib, kib};
        case function::scan:
        case function::exscan:
            return is_open_mpi() ? bounds{16 * kib, never, 1024 * kib, 16 * kib} : bounds{kib, never, never, kib};
        case function::reduce: return is_open_mpi() ? bounds{} : bounds{16 * kib, never, never, 16 * kib};
        default: return is_open_mpi() ? bounds{} : bounds{kib, never, never, kib};
        }
    }
    if (is_open_mpi()) {
        switch (which) {
        case function::all_reduce: return {1, commutes ? never : 512 * kib, never, kib};
        case function::reduce: return {1, never, 32 * kib, kib};
        case function::reduce_scatter:
        case function::reduce_scatter_block: return {kib, commutes ? 512 * kib : 8 * kib, never, 4 * kib};
        case function::scan:
        case function::exscan:
        case function::broadcast:
        case function::all_gather: return {1, never, never, kib};
        case function::all_gatherv:
        case function::gather:
        case function::scatter: return {4 * kib, never, never, 4 * kib};
        default: return {};
        }
    }
    switch (which) {
    case function::all_reduce: return {1, 64 * kib, never, 1};
    case function::reduce: return {1, 64 * kib, never, 1};
    case function::scan: return {1, kib, never, 1};
    case function::exscan: return {1, 8 * kib, never, 1};
    case function::reduce_scatter:
    case function::reduce_scatter_block: return {kib, commutes ? never : 64 * kib, never, kib};
    case function::broadcast:
    case function::all_gather: return {1, never, never, 1};
    case function::all_gatherv:
    case function::gather:
    case function::scatter: return {16 * kib, never, never, 16 * kib};
    default: return {};
    }
}

[[nodiscard]] inline bounds bounds_of(function which, MPI_Op op) {
    return bounds_of(which, op == MPI_OP_NULL || commutes(op), handling{which, op}.cuts);
}

/// What is known of the ranks of a communicator that has a private one.
struct known_ranks {
    MPI_Comm comm = MPI_COMM_NULL;
    unsigned ended = 0;
    bool may_share_memory = false;  ///< one day; the same on all ranks
    bool take_turns = false;        ///< a node has more of them than processors

    [[nodiscard]] bool are_of(MPI_Comm asked) const { return comm == asked && ended == mpi::duplicates::ended(); }
};

/// Those of this thread's last call: to ask them costs next to nothing.
inline thread_local known_ranks last_ranks;

[[nodiscard]] inline known_ranks const& known_ranks_of(MPI_Comm comm) {
    if (!last_ranks.are_of(comm)) {
        auto const ended = mpi::duplicates::ended();
        auto& own = communicator_of<MPI_Comm>::get(comm);
        auto const size = static_cast<std::size_t>(own.size());
        auto const& nodes = own.nodes();
        bool const may_share = own.will_share_memory() && nodes.count(size) == 1;
        last_ranks = {comm, ended, may_share, nodes.shares_processors(size)};
    }
    return last_ranks;
}

/// Whether a call has too few bytes whatever its operator is: asked first, since it costs next to nothing.
[[nodiscard]] inline bool is_too_short(function which, std::size_t bytes, MPI_Comm comm) {
    struct table {
        std::array<std::size_t, function_names.size()> of_any{}, on_one_node{}, taking_turns{}, on_several{};
    };
    static auto const least = [] {
        table result;
        for (std::size_t i = 0; i != function_names.size(); ++i) {
            bounds all;
            for (bool const commutes : {true, false}) {
                for (bool const cuts : {true, false}) {
                    auto const from = bounds_of(static_cast<function>(i), commutes, cuts);
                    all.on_one_node = std::min(all.on_one_node, from.on_one_node);
                    all.taking_turns = std::min(all.taking_turns, from.taking_turns);
                    all.on_several = std::min(all.on_several, from.on_several);
                }
            }
            auto const wanted = wanted_from(static_cast<function>(i));
            result.of_any[i] = wanted.value_or(all.least());
            result.on_several[i] = wanted.value_or(all.on_several);
            result.on_one_node[i] = wanted.value_or(std::min(all.on_one_node, all.on_several));
            result.taking_turns[i] = wanted.value_or(std::min(all.taking_turns, all.on_several));
        }
        return result;
    }();
    if (watch::this_thread.is_taken) { return false; }
    auto const& these = !last_ranks.are_of(comm)       ? least.of_any
                        : !last_ranks.may_share_memory ? least.on_several
                        : last_ranks.take_turns        ? least.taking_turns
                                                       : least.on_one_node;
    return bytes < these[static_cast<std::size_t>(which)];
}

/// Whether the ranks share memory, which they begin with where they can. All ranks have to ask.
[[nodiscard]] inline bool share_memory(mpi::communicator& own) {
    if (own.will_share_memory() && !own.shares_memory()) { own.begin_sharing(); }
    return own.shares_memory();
}

/// Whether a rank of the communicator uses a device, whose memory MPI takes and tutti would have to copy. All ranks
/// have to ask, and decide at the first time.
[[nodiscard]] inline bool uses_device(mpi::communicator& own, MPI_Comm comm) {
    struct decision {
        int is_made = 0;
        int uses = 0;
    };
    if (!mpi::device_memory::mpi_takes_it()) { return false; }
    auto& decided = own.store().get<decision>();
    if (decided.is_made == 0) {
        int const mine = mpi::device_memory::is_in_use() ? 1 : 0;
        mpi::ensure("MPI_Allreduce", PMPI_Allreduce(&mine, &decided.uses, 1, MPI_INT, MPI_MAX, comm));
        decided.is_made = 1;
    }
    return decided.uses != 0;
}

/// Why MPI performs calls of a communicator that has not paid for what tutti needs, see `set_up_decision`.
inline constexpr auto too_few_calls = "too few calls so far";

/// Whether a call is one of those; of calls with the same bits, `performer` counts them.
[[nodiscard]] inline bool waits(std::size_t bytes, MPI_Op op, MPI_Datatype type, MPI_Comm comm) {
    auto* const set_up = standing::set_up_of(comm);
    if (set_up == nullptr) { return true; }
    return gives_same_bits(op, type, set_up->ranks()) ? !set_up->is_due() : set_up->sum_waits(comm, bytes);
}

/// Why MPI performs a call; null if tutti does. What decides is the same on all ranks of a call, as the MPI standard
/// requires of a program: the function, the bytes of the whole vector, the operator, and whether ranks share memory.
/// (Of MPI_Gatherv and MPI_Scatterv only the root knows the bytes: they are never taken by size.)
[[nodiscard]] inline char const* why_left(function which, std::size_t bytes, MPI_Op op, MPI_Datatype type,
                                          MPI_Comm comm) {
    constexpr auto no_communicator = "no private communicator was to be had";
    if (watch::this_thread.is_taken) { return standing::has_own(comm) ? nullptr : no_communicator; }
    if (auto const wanted = wanted_from(which)) {
        return bytes < *wanted ? "not named in TUTTI" : standing::has_own(comm) ? nullptr : no_communicator;
    }
    auto const from = bounds_of(which, op);
    if (from.least() == bounds::never) { return "such calls gain nothing"; }
    if (bytes < from.least()) { return "too short"; }
    if (bytes > from.at_most) { return "too long"; }
    if (waits(bytes, op, type, comm)) { return too_few_calls; }
    if (!standing::has_own(comm)) { return no_communicator; }
    try {
        auto& own = communicator_of<MPI_Comm>::get(comm);
        if (uses_device(own, comm)) { return "a device is in use"; }
        auto const& ranks = known_ranks_of(comm);
        auto const least = ranks.take_turns ? from.taking_turns : from.on_one_node;
        bool const may_share = ranks.may_share_memory && bytes >= least;
        if (may_share && share_memory(own)) { return nullptr; }
        if (bytes >= from.on_several && !own.shares_memory()) { return nullptr; }
        return may_share                          ? "memory cannot be shared"
               : ranks.may_share_memory           ? "too short"
               : from.on_several == bounds::never ? "such calls gain nothing between nodes"
                                                  : "too short between nodes";
    } catch (std::exception const&) { return nullptr; }  // the call of tutti reports what is wrong
}

/// The same of a call that only moves elements.
[[nodiscard]] inline char const* why_left(function which, std::size_t bytes, MPI_Comm comm) {
    return why_left(which, bytes, MPI_OP_NULL, MPI_DATATYPE_NULL, comm);
}

/// Whether a call that has been taken is taken whenever it comes again: not one that gains while messages go by MPI.
[[nodiscard]] inline bool are_all_taken(function which, MPI_Comm comm) {
    return wanted_from(which) || communicator_of<MPI_Comm>::get(comm).shares_memory();
}

}  // namespace tutti::accelerator
