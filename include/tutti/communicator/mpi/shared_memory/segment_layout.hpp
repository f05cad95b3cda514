// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <limits>

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <tutti/communicator/mpi/liveness.hpp>

namespace tutti::mpi::node {

/// Wakes the rank that owns it, which sleeps until a message or an acknowledgement comes; in memory that ranks share.
///
/// The owner announces that it is going to sleep, looks once more for what it waits for, and sleeps. Others ring after
/// each write that it may wait for: this reads a cache line that seldom changes. A ring may be missed: the writer does
/// not fence, and may lose its processor before it rings. Sleeps are therefore bounded.
class doorbell {
public:
    void ring() noexcept {
        if (asleep_.load(std::memory_order_relaxed) == 0) { return; }
        asleep_.store(0, std::memory_order_relaxed);
        call(FUTEX_WAKE, INT_MAX, nullptr);
    }

    void announce() noexcept { asleep_.store(1, std::memory_order_seq_cst); }
    void withdraw() noexcept { asleep_.store(0, std::memory_order_relaxed); }
    /// Sleeps until it rings, at most for this many ns, below a second. False if it has not rung since it was
    /// announced.
    bool await_ring(long most) noexcept {
        timespec const limit{0, most};
        call(FUTEX_WAIT, 1, &limit);
        return asleep_.exchange(0, std::memory_order_relaxed) == 0;
    }

private:
    void call(int what, int value, timespec const* limit) noexcept {
        static_assert(sizeof asleep_ == sizeof(std::uint32_t));
        syscall(SYS_futex, &asleep_, what, value, limit, nullptr, 0);
    }

    std::atomic<std::uint32_t> asleep_ = 0;
};

/// One message on its way from a rank to another: an entry in the ring of the pair. Short messages lie in it, others in
/// the slot that it names, and messages by reference stay in the sender's own memory until they have been read.
struct alignas(16) queue_entry {
    static constexpr std::size_t longest_inline = 496;  ///< bytes: where entries have 512
    static constexpr std::uint32_t no_slot = std::numeric_limits<std::uint32_t>::max();
    static constexpr std::uint32_t by_reference = no_slot - 1;

    std::atomic<std::uint32_t> number = 0;  ///< messages of the pair up to this one; written last
    std::int32_t tag = 0;
    std::uint32_t bytes : 31 = 0;
    std::uint32_t is_continued : 1 = 0;  ///< a piece of a message, of which more follow
    std::uint32_t slot = no_slot;

    /// What follows in the ring: a short message, or a `reference`.
    [[nodiscard]] std::byte* data() noexcept { return reinterpret_cast<std::byte*>(this + 1); }
    [[nodiscard]] std::byte const* data() const noexcept { return reinterpret_cast<std::byte const*>(this + 1); }
};

/// Where a message lies in the sender's memory.
struct reference {
    static constexpr unsigned most = 64;  ///< of a pair at a time

    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
    std::uint32_t number = 0;  ///< below `most`; no two references under way have the same
    std::uint32_t block = 0;   ///< of `mapped_memory`, in which it lies
};

/// The acknowledgements of the receiver of a pair to its sender.
struct alignas(128) ack {
    std::atomic<std::uint64_t> returned = 0;  ///< bit k changes whenever slot k has been read
    std::atomic<std::uint32_t> taken = 0;     ///< entries of the ring that may be used again
    std::atomic<std::uint64_t> read = 0;      ///< bit k changes whenever the memory of reference k has been read

    /// By the sender: bit k is set, and stays so, when it gives up the memory of reference k, read or not.
    std::atomic<std::uint64_t> withdrawn = 0;
};

/// Whether a rank still uses the shared memory: it may have left, by an exception too, or be dead.
enum class stage : std::uint32_t { present, ended, failed, killed };

struct alignas(128) presence {
    std::atomic<stage> now = stage::present;
    std::atomic<std::int32_t> because_of = 0;  ///< rank: the first that failed, written before `now`
    process own{};                             ///< not known where the others cannot see it
    doorbell bell{};
};

static_assert(std::atomic<std::uint32_t>::is_always_lock_free && std::atomic<std::uint64_t>::is_always_lock_free &&
                  std::atomic<stage>::is_always_lock_free,
              "processes can share atomics only where these have no lock");

/// The layout of the memory of one rank, which holds all that it sends: its `presence`; for each receiver an `ack`,
/// then for each a ring of queue entries, then for each its slots. The fewer ranks, the more and the longer slots;
/// at most `most_slots`.
///
/// An entry of a ring holds messages of up to 496 bytes, or of 112 for more than 32 ranks: broadcasts of 256 bytes that
/// follow each other took 0.18 to 0.21 us so, and 0.24 to 0.28 by slots (Intel Xeon, 2 ranks, Open MPI 4.1, 2026-11-28,
/// a loop as of `./dev bench collectives --ranks 2 --model default --loop`).
///
/// All ranks together have at most `most_slots` MiB of slots, unless the shortest and fewest need more; then slots that
/// are never written, of pairs that send each other short messages or none, cost no more than addresses.
class segment_layout {
public:
    static constexpr std::size_t shortest_slot = 4096;
    static constexpr std::size_t longest_slot = std::size_t{32} << 10;
    static constexpr std::size_t fewest_slots = 4;

    segment_layout(std::size_t ranks, std::size_t most_slots) : ranks_{ranks}, budget_{most_slots << 20} {
        auto const each = budget_ / (ranks * ranks);
        slots_ = std::clamp(std::bit_floor(each / longest_slot), fewest_slots, most_slots);
        slot_bytes_ = std::clamp(std::bit_floor(each / slots_), shortest_slot, longest_slot);
        ring_entries_ = ranks <= 32 ? 32 : 16;
        entry_bytes_ = ranks <= 32 ? sizeof(queue_entry) + queue_entry::longest_inline : 128;
    }

    [[nodiscard]] std::size_t slots() const noexcept { return slots_; }
    [[nodiscard]] std::size_t slot_bytes() const noexcept { return slot_bytes_; }
    /// In bytes: of messages that pass through slots also where the receiver can read the sender's memory. 4 KiB pass
    /// two ranks in 2.2 us so, and by the kernel in 3.4 (AMD EPYC, November 2026, broadcast of `./dev bench collectives
    /// --ranks 2 --model default`).
    [[nodiscard]] std::size_t longest_copied() const noexcept { return std::min(std::size_t{8} << 10, slot_bytes_); }
    [[nodiscard]] std::size_t ring_entries() const noexcept { return ring_entries_; }
    [[nodiscard]] std::size_t entry_bytes() const noexcept { return entry_bytes_; }

    [[nodiscard]] bool keeps_budget() const noexcept { return ranks_ * ranks_ * slots_ * slot_bytes_ <= budget_; }

    [[nodiscard]] std::size_t ack_at(std::size_t receiver) const noexcept {
        return sizeof(presence) + receiver * sizeof(ack);
    }
    [[nodiscard]] std::size_t ring_at(std::size_t receiver) const noexcept {
        return ack_at(ranks_) + receiver * ring_entries_ * entry_bytes_;
    }
    [[nodiscard]] std::size_t slots_at(std::size_t receiver) const noexcept {
        return (ring_at(ranks_) + page - 1) / page * page + receiver * slots_ * slot_bytes_;
    }
    [[nodiscard]] std::size_t bytes() const noexcept { return slots_at(ranks_); }

    static constexpr std::size_t page = 4096;

private:
    std::size_t ranks_;
    std::size_t budget_;  // bytes
    std::size_t slots_ = 0;
    std::size_t slot_bytes_ = 0;
    std::size_t ring_entries_ = 0;
    std::size_t entry_bytes_ = 0;
};

/// The ring of a pair, whose entries are used in turn.
class message_ring {
public:
    message_ring(segment_layout const& where, std::byte* sender, std::size_t receiver) noexcept
        : first_{sender + where.ring_at(receiver)},
          entries_{static_cast<std::uint32_t>(where.ring_entries())},
          entry_bytes_{static_cast<std::uint32_t>(where.entry_bytes())} {}

    [[nodiscard]] std::uint32_t entries() const noexcept { return entries_; }
    /// Bytes of the longest message that an entry holds.
    [[nodiscard]] std::size_t room() const noexcept { return entry_bytes_ - sizeof(queue_entry); }

    /// Of the message with this number, from 0 on.
    [[nodiscard]] queue_entry& operator[](std::uint32_t number) const noexcept {
        return *reinterpret_cast<queue_entry*>(first_ + std::size_t{number & (entries_ - 1)} * entry_bytes_);
    }

private:
    std::byte* first_;
    std::uint32_t entries_;  // a power of two
    std::uint32_t entry_bytes_;
};

}  // namespace tutti::mpi::node
