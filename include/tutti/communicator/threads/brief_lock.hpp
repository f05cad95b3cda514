// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <atomic>
#include <thread>

namespace tutti::threads {

/// A lock for a few instructions: who finds it taken does not sleep, which would take a thousand times as long.
/// `std::lock_guard` takes it for a mutex.
class brief_lock {
public:
    void lock() noexcept {
        for (int tries = 0; taken_.exchange(true, std::memory_order_acquire); ++tries) {
            // its holder may have lost its processor
            if (tries >= patience) { std::this_thread::yield(); }
        }
    }

    void unlock() noexcept { taken_.store(false, std::memory_order_release); }

private:
    static constexpr int patience = 100;

    std::atomic<bool> taken_ = false;
};

}  // namespace tutti::threads
