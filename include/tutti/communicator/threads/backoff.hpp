// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <chrono>
#include <thread>
#include <utility>

namespace tutti::threads {

/// How often in a row a rank has looked in vain until it slept.
struct disappointments {
    unsigned in_a_row = 0;
};

/// How long a rank looks again and again for what it waits for before it sleeps.
///
/// To be woken takes some ten microseconds, and some more of the time of the rank that wakes it. A rank with a
/// processor of its own looks until sleeping would have cost less than half as much. On a crowded machine a rank lets
/// others run once, who may well send what it waits for, and then sleeps. The machine may also be crowded by other
/// programs, and the rank that looks keep the one that would send from its processor: who looked in vain looks for a
/// moment only, but now and then longer again.
class backoff {
public:
    backoff(bool crowded, disappointments& lately) : crowded_{crowded}, lately_{lately} {}

    /// To be asked after each look in vain.
    [[nodiscard]] bool lasts() {
        ++looks_;
        if (crowded_) {
            if (looks_ > 1) { return false; }
            std::this_thread::yield();
            return true;
        }
        if (looks_ % looks_per_glance != 0) { return true; }
        auto const now = clock::now();
        if (looks_ == looks_per_glance) { until_ = now + (is_hopeful() ? most : least); }
        if (now < until_) { return true; }
        if (!std::exchange(ended_, true)) { ++lately_.in_a_row; }
        return false;
    }

    /// To be told when the rank has found something.
    void rewarded() {
        if (looks_ != 0 && !ended_) { lately_.in_a_row = 0; }
    }

private:
    using clock = std::chrono::steady_clock;
    static constexpr clock::duration most = std::chrono::microseconds{50};
    static constexpr clock::duration least = std::chrono::microseconds{2};
    static constexpr unsigned looks_per_glance = 32;  ///< at the clock
    static constexpr unsigned now_and_then = 16;      ///< disappointments

    [[nodiscard]] bool is_hopeful() const { return lately_.in_a_row % now_and_then == 0; }

    bool crowded_;
    disappointments& lately_;
    bool ended_ = false;
    unsigned looks_ = 0;
    clock::time_point until_;
};

}  // namespace tutti::threads
