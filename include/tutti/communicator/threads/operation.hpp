// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <atomic>
#include <cstddef>
#include <deque>

#include <tutti/communicator/threads/call_log.hpp>

namespace tutti::threads {

/// A posted send or receive. Its owner fills it before it is posted and reads the outcome once it is complete;
/// in between it belongs to whichever rank matches it, in cache lines of its own.
struct alignas(64) operation {
    enum class kind { send, receive, receive_lent };
    enum class state { pending, awaited, complete };

    explicit operation(int rank) : owner{rank} {}

    [[nodiscard]] bool is_send() const noexcept { return what == kind::send; }
    [[nodiscard]] bool is_complete() const noexcept {
        return progress.load(std::memory_order_acquire) == state::complete;
    }

    /// Asks the rank that completes this operation to wake its owner. False if it is complete already.
    [[nodiscard]] bool await() noexcept {
        auto expected = state::pending;
        return progress.compare_exchange_strong(expected, state::awaited) || expected == state::awaited;
    }
    void await_no_longer() noexcept {
        auto expected = state::awaited;
        progress.compare_exchange_strong(expected, state::pending);
    }

    int const owner;
    kind what = kind::send;
    bool active = false;
    int peer = 0;
    int tag = 0;
    std::byte const* source = nullptr;
    std::byte* target = nullptr;
    std::size_t size = 0;                 ///< of the message sent, or of the memory that receives
    std::size_t received = 0;
    call_digest_count calls;                      ///< that the owner had made when it posted this
    operation* partner = nullptr;         ///< the send whose memory an in-place receive has borrowed
    operation* next = nullptr;
    std::atomic<bool> matched = false;
    std::atomic<state> progress = state::pending;
};

/// The handle of an operation that its owner holds.
struct request {
    operation* pending = nullptr;

    friend bool operator==(request, request) = default;
};

/// The operations of one rank, used again once they have been reported, so that a repeated pattern of messages
/// allocates nothing. Only the owner takes and returns them.
class operations {
public:
    // More than are under way at once: that number depends on timing, and a repeated pattern must not allocate.
    explicit operations(int rank) : rank_{rank} {
        for (int i = 0; i != 256; ++i) { put_back(all_.emplace_back(rank)); }
    }

    [[nodiscard]] operation& take(operation::kind what, int peer, int tag, std::size_t size,
                                  call_digest_count calls = {}) {
        if (free_ == nullptr) {
            free_ = &all_.emplace_back(rank_);
        }
        operation& taken = *free_;
        free_ = taken.next;
        taken.what = what;
        taken.active = true;
        taken.peer = peer;
        taken.tag = tag;
        taken.source = nullptr;
        taken.size = size;
        taken.calls = calls;
        taken.partner = nullptr;
        taken.next = nullptr;
        taken.matched.store(false, std::memory_order_relaxed);
        taken.progress.store(operation::state::pending, std::memory_order_relaxed);
        return taken;
    }

    void put_back(operation& ended) noexcept {
        ended.active = false;
        ended.next = free_;
        free_ = &ended;
    }

    /// Calls `visit` with every operation that was taken and not put back.
    template <class Visit>
    void for_each_active(Visit visit) {
        for (auto& each : all_) {
            if (each.active) { visit(each); }
        }
    }

private:
    int rank_;
    std::deque<operation> all_;
    operation* free_ = nullptr;
};

}  // namespace tutti::threads
