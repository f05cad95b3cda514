// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <atomic>
#include <cstddef>

#include <tutti/communicator/posted_operations.hpp>
#include <tutti/communicator/threads/call_log.hpp>

namespace tutti::threads {

/// A posted send or receive. Its owner fills it before it is posted and reads the outcome once it is complete;
/// in between it belongs to whichever rank matches it, in cache lines of its own.
struct alignas(64) posted_operation {
    enum class kind { send, receive, receive_lent };
    enum class state { pending, awaited, complete };
    /// The memory of a send that its receiver reads in place, where either may give it up: not matched, or copied;
    /// offered; being read; taken back by its owner before that. See `teams::local_channel`.
    enum class lent_state { none, offered, taken, withdrawn };

    /// A rank takes it for a new message.
    posted_operation& begin(kind of, int rank, int with, int with_tag, std::size_t bytes,
                     call_digest_count made = {}) noexcept {
        what = of;
        active = true;
        owner = rank;
        peer = with;
        tag = with_tag;
        source = nullptr;
        size = bytes;
        calls = made;
        partner = nullptr;
        error = 0;
        lent.store(lent_state::none, std::memory_order_relaxed);
        matched.store(false, std::memory_order_relaxed);
        progress.store(state::pending, std::memory_order_relaxed);
        return *this;
    }

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

    int owner = 0;
    kind what = kind::send;
    bool active = false;
    int peer = 0;
    int tag = 0;
    std::byte const* source = nullptr;
    std::byte* target = nullptr;
    std::size_t size = 0;                 ///< of the message sent, or of the memory that receives
    std::size_t received = 0;
    call_digest_count calls;                      ///< that the owner had made when it posted this
    posted_operation* partner = nullptr;         ///< the send whose memory an in-place receive has borrowed
    posted_operation* next = nullptr;
    int error = 0;            ///< of the communicator of a team's processes
    bool is_remote = false;   ///< to or from another process of a team
    std::atomic<lent_state> lent = lent_state::none;
    std::atomic<bool> matched = false;
    std::atomic<state> progress = state::pending;
};

using request = posted::request<posted_operation>;

}  // namespace tutti::threads
