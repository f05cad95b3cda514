// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <atomic>
#include <climits>
#include <cstdint>
#include <ctime>

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace tutti::mpi::node {

/// Wakes the rank that owns it, which sleeps until a message or an acknowledgement comes; in memory that ranks share.
///
/// The owner announces that it is going to sleep, looks once more for what it waits for, and sleeps. Others ring after
/// each write that it may wait for: this reads a cache line that seldom changes. A ring may be missed: there is no
/// fence between the write and that, and one who is about to wake the owner may lose its processor before it does. The
/// time limit makes up for it.
class doorbell {
public:
    void ring() noexcept {
        if (asleep_.load(std::memory_order_relaxed) == 0) { return; }
        asleep_.store(0, std::memory_order_relaxed);
        call(FUTEX_WAKE, INT_MAX, nullptr);
    }

    void announce() noexcept { asleep_.store(1, std::memory_order_seq_cst); }
    void withdraw() noexcept { asleep_.store(0, std::memory_order_relaxed); }
    /// Sleeps until it rings, at most for so many ns, below a second. False if it has not rung since it was announced.
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

}  // namespace tutti::mpi::node
