// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <span>
#include <string>
#include <thread>
#include <utility>

#include <tutti/communicator/threads/operation.hpp>

namespace tutti::threads {

[[nodiscard]] inline bool any_active(std::span<request const> requests) {
    return std::any_of(requests.begin(), requests.end(), [](request const& each) { return each.pending != nullptr; });
}

/// "a message from rank 1 with tag 3"
[[nodiscard]] inline std::string awaited_by(operation const& waiting) {
    auto const peer = "rank " + std::to_string(waiting.peer);
    auto const tag = " with tag " + std::to_string(waiting.tag);
    if (!waiting.is_send()) { return "a message from " + peer + tag; }
    return waiting.matched.load(std::memory_order_relaxed) ? peer + " to give back its message" + tag
                                                           : peer + " to receive its message" + tag;
}

/// "rank 0 waits for a message from rank 1 with tag 3 or rank 2 to receive its message with tag 3 or 7 others"
[[nodiscard]] inline std::string waits_for(int rank, std::span<request const> requests) {
    constexpr std::size_t shown = 3;
    auto text = "rank " + std::to_string(rank) + " waits for ";
    std::size_t count = 0;
    for (auto const& each : requests) {
        if (each.pending == nullptr) { continue; }
        if (++count > shown) { continue; }
        if (count > 1) { text += " or "; }
        text += awaited_by(*each.pending);
    }
    if (count > shown) {
        text += " or " + std::to_string(count - shown) + (count == shown + 1 ? " other" : " others");
    }
    return text;
}

/// How often in a row a rank has looked in vain until it slept.
struct disappointments {
    unsigned in_a_row = 0;
};

/// How long a rank looks again and again for what it waits for before it sleeps.
///
/// To be woken takes some ten microseconds, and some more of the time of the rank that wakes it. A rank with a
/// processor of its own looks until sleeping would have cost less than half as much. On a crowded machine a rank lets
/// others run once, one of which may send what it waits for, and then sleeps. Other programs may use the processors
/// too, and a rank that polls may keep the sender from running: after polling in vain a rank polls for a moment only,
/// but now and then longer again.
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
