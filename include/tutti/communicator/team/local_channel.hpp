// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <thread>

#include <tutti/communicator/threads/matcher.hpp>
#include <tutti/communicator/threads/posted_operation.hpp>

namespace tutti::teams {

using threads::posted_operation;

/// The messages between the threads of a process, which are copied once, or read where the sender has them. As
/// `threads::matcher`, but that one thread can give its operations up, and the others go on.
class local_channel {
public:
    /// Between the ranks from `first` on.
    local_channel(int first, int threads)
        : pairs_{first, static_cast<std::size_t>(threads)},
          waiting_threads_{std::make_unique<waiting_thread[]>(static_cast<std::size_t>(threads))} {}

    /// Posts a send or receive; called by its owner. If its counterpart is there, moves the message at once.
    void post(posted_operation& posted) {
        auto* const found = pairs_.of(posted).match(posted);
        if (found == nullptr) { return; }
        auto const done = [this](posted_operation& ended) { complete(ended); };
        posted.is_send() ? threads::deliver(posted, *found, done) : threads::deliver(*found, posted, done);
    }

    /// The receiver of a lent message begins to read it. False if its owner has taken it back.
    [[nodiscard]] bool borrow(posted_operation& send) {
        auto expected = lent_state::offered;
        if (send.lent.compare_exchange_strong(expected, lent_state::taken)) { return true; }
        complete(send);
        return false;
    }

    /// From then on the operation is its owner's again, which may be gone.
    void complete(posted_operation& ended) {
        auto const owner = ended.owner;
        auto const before = ended.progress.exchange(posted_operation::state::complete);
        if (before == posted_operation::state::awaited) { wake(owner); }
    }

    /// Gives up an operation: once it returns, no other thread accesses its memory. False if another thread may still
    /// look at the operation itself, until that is complete. Waits for a thread that accesses the memory now.
    [[nodiscard]] bool cancel(posted_operation& given_up) {
        if (pairs_.of(given_up).withdraw(given_up)) { return true; }
        while (!given_up.is_complete()) {
            auto offered = lent_state::offered;
            if (given_up.lent.compare_exchange_strong(offered, lent_state::withdrawn)) { return false; }
            std::this_thread::yield();
        }
        if (given_up.partner != nullptr && borrow(*given_up.partner)) { complete(*given_up.partner); }
        return true;
    }

    /// Blocks a thread until one of its requests is complete, `wake` has been called, or `longest` has passed.
    void sleep(int thread, std::span<threads::request const> requests, std::chrono::microseconds longest) {
        bool is_ready = false;
        for (auto const& each : requests) {
            is_ready = is_ready || (each.pending != nullptr && !each.pending->await());
        }
        auto& self = waiting_threads_[static_cast<std::size_t>(thread)];
        {
            auto lock = std::unique_lock{self.guard};
            if (!is_ready) { self.changed.wait_for(lock, longest, [&] { return self.is_woken; }); }
            self.is_woken = false;
        }
        for (auto const& each : requests) {
            if (each.pending != nullptr) { each.pending->await_no_longer(); }
        }
    }
    void wake(int thread) {
        auto& other = waiting_threads_[static_cast<std::size_t>(thread)];
        {
            auto const lock = std::lock_guard{other.guard};
            other.is_woken = true;
        }
        other.changed.notify_one();
    }

private:
    using lent_state = posted_operation::lent_state;

    struct alignas(64) waiting_thread {
        std::mutex guard;
        std::condition_variable changed;
        bool is_woken = false;
    };

    threads::match_lists pairs_;
    std::unique_ptr<waiting_thread[]> waiting_threads_;
};

}  // namespace tutti::teams
