// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>

#include <tutti/communicator/mpi/declarations.hpp>
#include <unistd.h>

#include <tutti/communicator/mpi/agreement.hpp>
#include <tutti/communicator/mpi/environment.hpp>
#include <tutti/communicator/mpi/error.hpp>
#include <tutti/communicator/mpi/shared_memory/peer_memory.hpp>
#include <tutti/dynamic_array.hpp>

namespace tutti::mpi::node {

/// Whether the ranks of a node can read each other's own memory, and whether a long message takes less time so than by
/// two copies through slots: as most of them find, or as TUTTI_SINGLE_COPY says, always on all ranks or never on one.
/// Kernels check and pin every page that they copy. A broadcast of 64 KiB took 6.2 us by one copy and 1.4 us through
/// slots (AMD EPYC, 2 ranks, 2026-11-25, `./dev bench collectives --ranks 2 --model default --collectives broadcast`
/// with TUTTI_SINGLE_COPY=always and never), and on another such machine 6.6 and 29.
class single_copies {
public:
    /// Collective. `outgoing` are slots that this rank fills for the next one, `incoming` those that the previous one
    /// fills for this: at least a page of each.
    [[gnu::cold]] single_copies(MPI_Comm ranks, std::span<std::byte> outgoing, std::span<std::byte const> incoming) {
        auto const wanted = environment::single_copies();
        dynamic_array<std::byte> memory;
        memory.resize(2 * probed_bytes);
        auto const source = std::span{memory.data(), probed_bytes};
        auto const target = std::span{memory.data() + probed_bytes, probed_bytes};
        auto const there = find_processes(ranks, wanted != memory_sharing::never, source);
        if (!are_possible_) { return; }
        pay_ = on_all(ranks, wanted == memory_sharing::always);
        if (pay_) { return; }
        int votes = -1;
        if (processes_.size() > 1) {
            bool can_read = true;
            auto const one = least_time([&] { can_read = of(there.rank).try_read(there.address, target) && can_read; });
            auto const filling = least_time([&] {
                in_pieces(outgoing.size(), [&](std::size_t at, std::size_t slot, std::size_t bytes) {
                    std::memcpy(outgoing.data() + slot, source.data() + at, bytes);
                });
            });
            ensure("MPI_Barrier", PMPI_Barrier(ranks));
            auto const emptying = least_time([&] {
                in_pieces(incoming.size(), [&](std::size_t at, std::size_t slot, std::size_t bytes) {
                    std::memcpy(target.data() + at, incoming.data() + slot, bytes);
                });
            });
            if (can_read && one < filling + emptying) { votes = 1; }
        }
        ensure("MPI_Allreduce", PMPI_Allreduce(MPI_IN_PLACE, &votes, 1, MPI_INT, MPI_SUM, ranks));
        pay_ = votes > 0;
    }

    /// The same on all ranks. Whether they pay is that of messages of 64 KiB.
    [[nodiscard]] bool are_possible() const noexcept { return are_possible_; }
    [[nodiscard]] bool pay() const noexcept { return pay_; }

    /// The own memory of that rank, which can be read if single copies are possible.
    [[nodiscard]] peer_memory of(int rank) const noexcept {
        return peer_memory{processes_[static_cast<std::size_t>(rank)]};
    }

private:
    static constexpr std::size_t probed_bytes = std::size_t{64} << 10;

    /// Where the memory of the next rank begins.
    struct remote_address {
        int rank;
        std::uint64_t address;
    };

    // Each rank reads a value of all others, which no other process is likely to have at that address.
    [[nodiscard]] remote_address find_processes(MPI_Comm ranks, bool wanted, std::span<std::byte> source) {
        int size = 0;
        int rank = 0;
        ensure("MPI_Comm_size", MPI_Comm_size(ranks, &size));
        ensure("MPI_Comm_rank", MPI_Comm_rank(ranks, &rank));
        auto const begun = MPI_Wtime();
        std::int64_t secret = 0;
        std::memcpy(&secret, &begun, sizeof secret);
        secret ^= reinterpret_cast<std::intptr_t>(&secret) ^ (std::int64_t{getpid()} << 32);
        std::memcpy(source.data(), &secret, sizeof secret);
        std::int64_t const own[]{getpid(), reinterpret_cast<std::intptr_t>(source.data()), secret};
        dynamic_array<std::int64_t> all;
        all.resize(3 * static_cast<std::size_t>(size));
        ensure("MPI_Allgather", PMPI_Allgather(own, 3, MPI_INT64_T, all.data(), 3, MPI_INT64_T, ranks));
        for (std::size_t at = 0; at != all.size(); at += 3) {
            std::int64_t found = 0;
            processes_.push_back(all[at]);
            wanted = wanted &&
                     peer_memory{all[at]}.try_read(static_cast<std::uint64_t>(all[at + 1]),
                                                   std::as_writable_bytes(std::span{&found, 1})) &&
                     found == all[at + 2];
        }
        are_possible_ = on_all(ranks, wanted);
        auto const next = (rank + 1) % size;
        return {next, static_cast<std::uint64_t>(all[3 * static_cast<std::size_t>(next) + 1])};
    }

    // Calls `copy(at, slot, bytes)` for the pieces of a message that fill so many bytes of slots again and again.
    template <class Copy>
    static void in_pieces(std::size_t slots, Copy copy) {
        auto const each = std::min(slots, probed_bytes / 2);
        for (std::size_t at = 0; at < probed_bytes; at += each) {
            copy(at, at % (slots / each * each), std::min(each, probed_bytes - at));
        }
    }

    // Seconds; of a few calls, since the first one meets pages that are new and caches that are cold.
    template <class Copy>
    [[nodiscard]] static double least_time(Copy copy) {
        auto least = std::numeric_limits<double>::infinity();
        for (int i = 0; i != 3; ++i) {
            auto const begun = MPI_Wtime();
            copy();
            least = std::min(least, MPI_Wtime() - begun);
        }
        return least;
    }

    dynamic_array<std::int64_t> processes_;
    bool are_possible_ = false;
    bool pay_ = false;
};

}  // namespace tutti::mpi::node
