// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include <tutti/communicator/threads/posted_operation.hpp>
#include <tutti/communicator/threads/team_monitor.hpp>

namespace tutti::threads {

/// A lock for a few instructions: a thread that finds it taken does not sleep, which would take a thousand times as
/// long. Works with `std::lock_guard`.
class spin_lock {
public:
    void lock() noexcept {
        for (int tries = 0; taken_.exchange(true, std::memory_order_acquire); ++tries) {
            // its holder may have lost its processor
            if (tries >= backoff) { std::this_thread::yield(); }
        }
    }

    void unlock() noexcept { taken_.store(false, std::memory_order_release); }

private:
    static constexpr int backoff = 100;

    std::atomic<bool> taken_ = false;
};

/// Where the sends of one rank meet the receives of another. Each pair of ranks has its own, so that only these
/// two ever contend for it, in cache lines of its own.
class alignas(64) match_list {
public:
    /// The first posted counterpart with the same tag, taken out of the channel; if there is none, leaves
    /// `posted` behind and returns null.
    posted_operation* match(posted_operation& posted) {
        std::lock_guard const lock{lock_};
        auto& counterparts = posted.is_send() ? receives_ : sends_;
        auto* const found = counterparts.take([&](posted_operation const& each) { return each.tag == posted.tag; });
        if (found == nullptr) {
            (posted.is_send() ? sends_ : receives_).push(posted);
            return nullptr;
        }
        found->matched.store(true, std::memory_order_relaxed);
        posted.matched.store(true, std::memory_order_relaxed);
        return found;
    }

    /// Takes `posted` out; false if a counterpart has met it.
    bool withdraw(posted_operation const& posted) {
        std::lock_guard const lock{lock_};
        return (posted.is_send() ? sends_ : receives_).withdraw(posted);
    }

private:
    spin_lock lock_;
    posted::queue<posted_operation> sends_;
    posted::queue<posted_operation> receives_;
};

/// The lists of all pairs of ranks from `first` on, whose operations have owners from 0 on.
class match_lists {
public:
    match_lists(int first, std::size_t ranks)
        : first_{first}, ranks_{ranks}, pairs_{std::make_unique<match_list[]>(ranks * ranks)} {}

    [[nodiscard]] match_list& of(posted_operation const& posted) const {
        int const peer = posted.peer - first_;
        auto const from = static_cast<std::size_t>(posted.is_send() ? posted.owner : peer);
        auto const to = static_cast<std::size_t>(posted.is_send() ? peer : posted.owner);
        return pairs_[from * ranks_ + to];
    }

private:
    int first_;
    std::size_t ranks_;
    std::unique_ptr<match_list[]> pairs_;
};

/// Moves a message, or lends it, and calls `complete(operation)` for what ends thereby. One that is longer than the
/// memory of its receiver is not written: its length shows that the ranks disagree.
template <class Complete>
void deliver(posted_operation& send, posted_operation& receive, Complete complete) {
    receive.received = send.size;
    if (receive.what == posted_operation::kind::receive_lent && send.size <= receive.size) {
        receive.source = send.source;
        receive.partner = &send;
        send.lent.store(posted_operation::lent_state::offered, std::memory_order_release);
        return complete(receive);
    }
    if (send.size != 0 && send.size <= receive.size) { std::memcpy(receive.target, send.source, send.size); }
    complete(receive);
    complete(send);
}

/// Matches sends with receives and copies the messages.
///
/// The memory of a rank is touched by another one only under a pin, taken before looking whether the team has
/// ended. A rank that leaves early, by an exception of the communicator, looks at its pins after the team has
/// ended: once they are gone, no rank accesses the memory that its exception is about to free.
class matcher {
public:
    matcher(int size, team_monitor& ranks)
        : size_{static_cast<std::size_t>(size)},
          ranks_{ranks},
          channels_{0, size_},
          pins_of_ranks_{std::make_unique<pin_counts[]>(size_)} {
        for (std::size_t rank = 0; rank < size_; ++rank) { pins_of_ranks_[rank].borrowed = leases(size_); }
    }

    /// Posts a send or receive; called by its owner. If its counterpart is there, moves the message at once.
    /// False if the team has ended.
    [[nodiscard]] bool post(posted_operation& posted) {
        auto* const found = channels_.of(posted).match(posted);
        if (found == nullptr) { return true; }
        // A message between ranks whose calls differ may belong to another call.
        if (found->calls != posted.calls) { ranks_.compare_calls(); }
        auto& other = pins_of(found->owner);
        other.pins.fetch_add(1);
        auto const alive = !ranks_.ended();
        if (alive) {
            auto const complete = [this](posted_operation& ended) { ranks_.complete(ended); };
            posted.is_send() ? threads::deliver(posted, *found, complete)
                             : threads::deliver(*found, posted, complete);
        }
        other.pins.fetch_sub(1);
        return alive;
    }

    /// Rank `borrower` begins to read memory of rank `lender`. False if the team has ended.
    [[nodiscard]] bool borrow(int borrower, int lender) {
        auto& from = pins_of(lender);
        from.pins.fetch_add(1);
        if (ranks_.ended()) {
            from.pins.fetch_sub(1);
            return false;
        }
        ++pins_of(borrower).borrowed[static_cast<std::size_t>(lender)];
        return true;
    }

    /// Lets the send end whose memory `borrower` has read. Does nothing after `release_leases`.
    void give_back(int borrower, posted_operation& send) {
        auto& own = pins_of(borrower).borrowed[static_cast<std::size_t>(send.owner)];
        if (own == 0) { return; }
        auto& from = pins_of(send.owner);
        --own;
        ranks_.complete(send);
        from.pins.fetch_sub(1);
    }

    /// Rank `borrower` reads no more memory of others; the sends that lent it do not end.
    void release_leases(int borrower) {
        auto& own = pins_of(borrower).borrowed;
        for (std::size_t lender = 0; lender < size_; ++lender) {
            pins_of_ranks_[lender].pins.fetch_sub(own[lender]);
            own[lender] = 0;
        }
    }

    /// After the team has ended: waits until no other rank accesses the memory of rank `rank`.
    void quiesce(int rank) {
        release_leases(rank);
        while (pins_of(rank).pins.load() != 0) { std::this_thread::yield(); }
    }

    /// Takes back an operation that is not matched yet; false if it is matched.
    bool withdraw(posted_operation const& posted) { return channels_.of(posted).withdraw(posted); }

    /// Ends the send whose memory `receive` was lent but has not begun to read.
    void decline(posted_operation& receive) {
        if (receive.partner != nullptr) { ranks_.complete(*receive.partner); }
    }

private:
    /// How much one rank has borrowed, by lender. Others do not touch these cache lines.
    class leases {
    public:
        leases() = default;
        explicit leases(std::size_t lenders) : lines_((lenders - 1) / per_line + 1) {}
        [[nodiscard]] std::size_t& operator[](std::size_t lender) {
            return lines_[lender / per_line].of[lender % per_line];
        }

    private:
        static constexpr std::size_t per_line = 64 / sizeof(std::size_t);
        struct alignas(64) line {
            std::array<std::size_t, per_line> of{};
        };
        std::vector<line> lines_;
    };
    struct alignas(64) pin_counts {
        std::atomic<std::size_t> pins = 0;
        alignas(64) leases borrowed;  ///< of this rank; touched by it alone
    };

    [[nodiscard]] pin_counts& pins_of(int rank) const { return pins_of_ranks_[static_cast<std::size_t>(rank)]; }

    std::size_t size_;
    team_monitor& ranks_;
    match_lists channels_;
    std::unique_ptr<pin_counts[]> pins_of_ranks_;
};

}  // namespace tutti::threads
