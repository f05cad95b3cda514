// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <span>
#include <thread>

#include <tutti/communicator/mpi/declarations.hpp>
#include <unistd.h>

#include <tutti/communicator/mpi/agreement.hpp>
#include <tutti/communicator/mpi/environment.hpp>
#include <tutti/communicator/mpi/error.hpp>
#include <tutti/communicator/mpi/shared_memory/pages.hpp>
#include <tutti/communicator/mpi/shared_memory/peer_memory.hpp>
#include <tutti/communicator/mpi/shared_memory/segment_layout.hpp>
#include <tutti/dynamic_array.hpp>

namespace tutti::mpi::node {

/// Whether the ranks of a node can read each other's own memory, and from which length on a message takes less time so
/// than by two copies through slots: as they find together, or by TUTTI_SINGLE_COPY, always on all ranks or never
/// on one. Kernels check and pin every page that they copy, and the sender waits until the receiver has read.
///
/// Only for messages of programs that prefer them, mostly those that are moved to their place. One that is combined is
/// read once more in either way, and by slots the sender does half of the work: an all_reduce of 64 KiB took 11.1 us by
/// them, and 16.4 by single copies, a broadcast 7.7 and 4.5 (Intel Xeon, 2 ranks, 2026-11-28, `./dev bench collectives
/// --ranks 2 --model default` with TUTTI_SINGLE_COPY=never and always). Nor where ranks share processors, since a
/// sender that waits gives up its turn: a broadcast of 512 KiB by 4 ranks on 2 processors took 1.3 times as long.
class single_copies {
public:
    static constexpr std::size_t never = std::numeric_limits<std::size_t>::max();

    /// Collective. `outgoing` are slots that this rank fills for the next one, `incoming` those that the previous one
    /// fills for this: at least a page of each. Messages of up to `longest_copied` bytes pass through slots in any
    /// case, and of a slot have `slot_bytes`.
    [[gnu::cold]] single_copies(MPI_Comm ranks, std::span<std::byte> outgoing, std::span<std::byte const> incoming,
                                std::size_t longest_copied, std::size_t slot_bytes) {
        auto wanted = memory_sharing::never;
        std::unique_ptr<std::byte[]> memory;
        dynamic_array<std::int64_t> all;
        require_on_all(ranks, [&] {
            wanted = environment::single_copies();
            memory = std::make_unique_for_overwrite<std::byte[]>(2 * probed_bytes);
            int size = 0;
            ensure("MPI_Comm_size", MPI_Comm_size(ranks, &size));
            all.resize(3 * static_cast<std::size_t>(size));
            processes_.reserve(static_cast<std::size_t>(size));
        });
        make_pages(memory.get(), 2 * probed_bytes, first_use::written);
        auto const source = std::span{memory.get(), probed_bytes};
        auto const target = std::span{memory.get() + probed_bytes, probed_bytes};
        auto const there = find_processes(ranks, wanted != memory_sharing::never, source, all);
        if (!are_possible_) { return; }
        if (on_all(ranks, wanted == memory_sharing::always)) {
            shortest_preferred_ = shortest_others_ = longest_copied + 1;
            return;
        }
        // ranks may count other processors, each those on which it may run
        bool const is_alone = processes_.size() == 1 || processes_.size() > std::thread::hardware_concurrency();
        if (!on_all(ranks, !is_alone)) { return; }
        auto const read = [&] { return of(there.rank).try_read(there.address, target); };
        if (time_saved(ranks, read, source, target, outgoing, incoming) > 0) {
            shortest_preferred_ = std::clamp(longest_by_slots, longest_copied, slot_bytes) + 1;
        }
    }

    /// The same on all ranks.
    [[nodiscard]] bool are_possible() const noexcept { return are_possible_; }
    /// In bytes: of messages that prefer it, or of others; or `never`.
    [[nodiscard]] std::size_t shortest(bool by_single_copy) const noexcept {
        return by_single_copy ? shortest_preferred_ : shortest_others_;
    }

    /// The own memory of that rank, which can be read if single copies are possible.
    [[nodiscard]] peer_memory of(int rank) const noexcept {
        return peer_memory{processes_[static_cast<std::size_t>(rank)]};
    }

private:
    // Long enough that slots are written again after others have read them: of 64 KiB through slots that have not been
    // used before one copy took 7 to 8.5 us and two 8 to 10, of 512 KiB 50 to 60 and 68 to 75 (as above).
    static constexpr std::size_t probed_bytes = std::size_t{256} << 10;
    static constexpr int rounds = 3;  // the first one meets pages that are new and caches that are cold

    // In bytes. Where single copies pay, 16 KiB still take less time through slots if the sender runs ahead
    // (1.5 beside 2.6 us), and 32 KiB more if it does not (4.8 and 2.9 us; a broadcast of `./dev bench collectives
    // --ranks 2 --model default --loop`, Intel Xeon, 2026-11-28).
    static constexpr std::size_t longest_by_slots = std::size_t{16} << 10;

    /// Where the memory of the next rank begins.
    struct remote_address {
        int rank;
        std::uint64_t address;
    };

    // Each rank reads a value of all others, which no other process is likely to have at that address.
    [[nodiscard]] remote_address find_processes(MPI_Comm ranks, bool wanted, std::span<std::byte> source,
                                                dynamic_array<std::int64_t>& all) {
        int rank = 0;
        ensure("MPI_Comm_rank", MPI_Comm_rank(ranks, &rank));
        auto const begun = MPI_Wtime();
        std::int64_t secret = 0;
        std::memcpy(&secret, &begun, sizeof secret);
        secret ^= reinterpret_cast<std::intptr_t>(&secret) ^ (std::int64_t{getpid()} << 32);
        std::memcpy(source.data(), &secret, sizeof secret);
        std::int64_t const own[]{getpid(), reinterpret_cast<std::intptr_t>(source.data()), secret};
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
        auto const next = (rank + 1) % static_cast<int>(processes_.size());
        return {next, static_cast<std::uint64_t>(all[3 * static_cast<std::size_t>(next) + 1])};
    }

    // Calls `copy(at, slot, bytes)` for the pieces of a message that fill this many bytes of slots again and again.
    template <class Copy>
    static void in_pieces(std::size_t slots, Copy copy) {
        auto const each = std::min(slots, segment_layout::longest_slot);
        for (std::size_t at = 0; at < probed_bytes; at += each) {
            copy(at, at % (slots / each * each), std::min(each, probed_bytes - at));
        }
    }

    // Seconds. All ranks copy at the same time, when what they read has been written by another one.
    template <class Copy>
    static void least_time(MPI_Comm ranks, double& least, Copy copy) {
        ensure("MPI_Barrier", PMPI_Barrier(ranks));
        auto const begun = MPI_Wtime();
        copy();
        least = std::min(least, MPI_Wtime() - begun);
    }

    // Nanoseconds, summed over all ranks, that `read()`, a single copy to `target`, saves beside two copies through
    // slots; 0 if it has failed on a rank. Collective.
    template <class Read>
    [[nodiscard, gnu::cold]] std::int64_t time_saved(MPI_Comm ranks, Read read, std::span<std::byte> source,
                                          std::span<std::byte> target, std::span<std::byte> outgoing,
                                          std::span<std::byte const> incoming) {
        auto one = std::numeric_limits<double>::max(), filling = one, emptying = one;
        bool can_read = true;
        for (int round = 0; round != rounds; ++round) {
            std::fill(source.begin(), source.end(), static_cast<std::byte>(round));  // what is sent was written lately
            least_time(ranks, one, [&] { can_read = read() && can_read; });
            least_time(ranks, filling, [&] {
                in_pieces(outgoing.size(), [&](std::size_t at, std::size_t slot, std::size_t bytes) {
                    std::memcpy(outgoing.data() + slot, source.data() + at, bytes);
                });
            });
            least_time(ranks, emptying, [&] {
                in_pieces(incoming.size(), [&](std::size_t at, std::size_t slot, std::size_t bytes) {
                    std::memcpy(target.data() + at, incoming.data() + slot, bytes);
                });
            });
        }
        are_possible_ = on_all(ranks, can_read);
        if (!are_possible_) { return 0; }
        constexpr double unit = 1e-9;  // s
        auto saved = static_cast<std::int64_t>((filling + emptying - one) / unit);
        ensure("MPI_Allreduce", PMPI_Allreduce(MPI_IN_PLACE, &saved, 1, MPI_INT64_T, MPI_SUM, ranks));
        return saved;
    }

    dynamic_array<std::int64_t> processes_;
    bool are_possible_ = false;
    std::size_t shortest_preferred_ = never;
    std::size_t shortest_others_ = never;
};

}  // namespace tutti::mpi::node
