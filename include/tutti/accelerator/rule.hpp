// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <exception>
#include <limits>
#include <optional>

#include <tutti/accelerator/environment.hpp>
#include <tutti/accelerator/handles.hpp>
#include <tutti/accelerator/report.hpp>
#include <tutti/accelerator/standing.hpp>
#include <tutti/mpi.hpp>

namespace tutti::accelerator {

/// From how many bytes on the environment wants every call of a function to be taken that tutti can perform; nothing if
/// it does not say.
[[nodiscard]] inline std::optional<std::size_t> wanted_from(function which) {
    auto const& says = environment::get();
    if (says.names_some) {
        return says.named[static_cast<std::size_t>(which)].value_or(std::numeric_limits<std::size_t>::max());
    }
    return says.all || (says.reproducible && combines(which)) ? std::optional<std::size_t>{0} : std::nullopt;
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
    std::size_t at_most = never;  ///< bytes; longer ones go to MPI
};

/// The bounds are the shortest vectors from which on tutti took no more than the time of the library in all lengths
/// measured up to 4 MiB of doubles, but for some of 1 MiB and more, which took up to 3 % longer: medians of 30 to 40
/// calls of `TUTTI=all ./dev bench collectives --ranks 2 --implementations mpi,accelerator`, and of 4 ranks on the same
/// two processors (AMD EPYC, 2026-11-25, Open MPI 4.1 without copies from process to process, MPICH 4.0). Those on
/// several nodes are of the same program when all its messages went by MPI.
/// What is not cut gains less, and nothing between nodes: by the same program with `--operators functor --ranks 2
/// --model default --repetitions 40` (2026-11-26) a user's all-reduce of 1 MiB took 0.7 to 0.9 of the time of Open
/// MPI's and one of 4 MiB up to 1.6, one of 512 KiB 0.6 to 0.8 of MPICH's and one of 1 MiB up to 1.2; a reduce over
/// Open MPI 0.8 to 1.2.
[[nodiscard]] inline bounds bounds_of(function which, bool commutes, bool cuts) {
    constexpr std::size_t kib = 1024;
    constexpr auto never = bounds::never;
    if (!cuts) {
        switch (which) {
        case function::all_reduce:
            return is_open_mpi() ? bounds{16 * kib, never, 1024 * kib} : bounds{kib, never, 512 * kib};
        case function::scan:
        case function::exscan: return is_open_mpi() ? bounds{16 * kib, never, 1024 * kib} : bounds{kib};
        case function::reduce: return is_open_mpi() ? bounds{} : bounds{16 * kib};
        default: return is_open_mpi() ? bounds{} : bounds{kib};
        }
    }
    if (is_open_mpi()) {
        switch (which) {
        case function::all_reduce: return {16 * kib, commutes ? never : 512 * kib};
        case function::reduce: return {commutes ? never : 16 * kib, never};
        case function::reduce_scatter:
        case function::reduce_scatter_block: return {16 * kib, commutes ? 512 * kib : 8 * kib};
        case function::scan:
        case function::exscan:
        case function::broadcast:
        case function::gather:
        case function::scatter:
        case function::all_gather:
        case function::all_gatherv: return {16 * kib, never};
        default: return {};
        }
    }
    switch (which) {
    case function::all_reduce: return {kib, 64 * kib};
    case function::reduce: return {commutes ? 4 * kib : kib, 64 * kib};
    case function::scan: return {kib, kib};
    case function::exscan: return {kib, 8 * kib};
    case function::reduce_scatter:
    case function::reduce_scatter_block: return {kib, commutes ? never : 64 * kib};
    case function::broadcast: return {16 * kib, never};
    case function::gather:
    case function::scatter:
    case function::all_gather:
    case function::all_gatherv: return {64 * kib, never};
    default: return {};
    }
}

/// Whether a call has too few bytes whatever its operator and its ranks are: asked first, since it costs next to
/// nothing.
[[nodiscard]] inline bool is_too_short(function which, std::size_t bytes) {
    static auto const least = [] {
        std::array<std::size_t, function_names.size()> result{};
        for (std::size_t i = 0; i != result.size(); ++i) {
            auto const wanted = wanted_from(static_cast<function>(i));
            result[i] = wanted.value_or(bounds::never);
            if (wanted) { continue; }
            for (bool const commutes : {true, false}) {
                for (bool const cuts : {true, false}) {
                    auto const from = bounds_of(static_cast<function>(i), commutes, cuts);
                    result[i] = std::min({result[i], from.on_one_node, from.on_several});
                }
            }
        }
        return result;
    }();
    return bytes < least[static_cast<std::size_t>(which)];
}

/// Whether the ranks are on one node and share memory. Calls that would gain by it are counted as if tutti performed
/// them, so that it is set up once that pays; MPI performs them until then. All ranks have to ask.
[[nodiscard]] inline bool have_shared_memory(mpi::communicator& own, std::size_t bytes) {
    if (!own.will_share_memory() || own.nodes().count(static_cast<std::size_t>(own.size())) != 1) { return false; }
    if (own.will_share_memory() && !own.shares_memory()) {
        engine::count_call(own, control::call{"call that MPI performs", "none", "elements", bytes, std::nullopt, {}},
                           bytes, own.new_call_tag());
    }
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

/// Which calls tutti performs: the others go to MPI. What decides is the same on all ranks of a call, as the MPI
/// standard requires of a program: the function, the bytes of the whole vector, the operator, and whether ranks share
/// memory. (Of MPI_Gatherv and MPI_Scatterv only the root knows the bytes: they are never taken by size.)
[[nodiscard]] inline bool is_worthwhile(function which, std::size_t bytes, MPI_Op op, MPI_Comm comm) {
    if (auto const wanted = wanted_from(which)) { return bytes >= *wanted && standing::has_own(comm); }
    auto const from = bounds_of(which, op == MPI_OP_NULL || commutes(op), handling{which, op}.cuts);
    if (bytes < std::min(from.on_one_node, from.on_several) || bytes > from.at_most) { return false; }
    if (!standing::has_own(comm)) { return false; }
    try {
        auto& own = communicator_of<MPI_Comm>::get(comm);
        if (uses_device(own, comm)) { return false; }
        if (bytes >= from.on_one_node && have_shared_memory(own, bytes)) { return true; }
        return bytes >= from.on_several && !own.shares_memory();
    } catch (std::exception const&) { return true; }  // the call of tutti says what is wrong
}

/// Whether a call that has been taken is taken whenever it comes again: not one by which ranks still find out whether to
/// share memory.
[[nodiscard]] inline bool are_all_taken(function which, MPI_Comm comm) {
    return wanted_from(which) || communicator_of<MPI_Comm>::get(comm).shares_memory();
}

}  // namespace tutti::accelerator
