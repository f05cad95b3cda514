// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <limits>
#include <thread>
#include <utility>

namespace tutti::control {

/// How a rank waits that has looked without success: it polls, after a while yields its processor between two polls,
/// and then may sleep.
///
/// How many polls come before the first yield adapts, since a rank cannot know who else wants the processor. A yield
/// that returns within 50 us went to a rank that waits itself: `few` polls from then on. One that returns at once, or
/// after milliseconds (other programs, or ranks in an MPI that never yields), did not help: `most` polls. In between
/// the number grows by a sixteenth a wait. To sleep and be woken costs more than to poll: who has slept polls `few`
/// times in the next waits, until a message comes meanwhile, and `most` now and then, to find out whether they come
/// soon again.
class backoff {
public:
    static constexpr std::size_t never = std::numeric_limits<std::size_t>::max();

    struct limits {
        std::size_t few;             ///< polls
        std::size_t most;            ///< polls
        std::size_t yields = never;  ///< before it sleeps
        bool always_sleeps = false;  ///< then; else only where others want the processor
    };

    enum class step { poll, yield, sleep };

    explicit backoff(limits chosen) : limits_{chosen}, spin_{chosen.most} {}

    /// A wait begins.
    void begin() {
        bool const has_slept = std::exchange(slept_, false);
        if (!has_slept && sleeps_ != 0 && polls_ != 0) {
            sleeps_ = 0;
            spin_ = limits_.most;
        }
        polls_ = 0;
        yields_ = 0;
    }

    /// After a poll without success: what to do next. A yield has been done; the caller sleeps, unless it must not.
    [[nodiscard]] step next(bool may_sleep = true) {
        if (++polls_ == 1) { spin_ = std::min(limits_.most, spin_ + spin_ / 16 + 1); }
        if (!ends(polls_)) { return step::poll; }
        if (may_sleep && yields_ >= limits_.yields && (limits_.always_sleeps || spin_ == limits_.few)) {
            return step::sleep;
        }
        yield();
        ++yields_;
        return step::yield;
    }

    /// Whether this many polls are enough.
    [[nodiscard]] bool ends(std::size_t polls) const { return polls >= spin_; }

    /// The caller has slept, for the first time in this wait.
    void slept() {
        slept_ = true;
        spin_ = ++sleeps_ % now_and_then == 0 ? limits_.most : limits_.few;
    }

private:
    using clock = std::chrono::steady_clock;
    static constexpr std::chrono::nanoseconds returned_at_once{1500};
    static constexpr std::chrono::nanoseconds others_ran{50'000};
    static constexpr std::size_t now_and_then = 16;

    void yield() {
        auto const begun = clock::now();
        std::this_thread::yield();
        auto const away = clock::now() - begun;
        if (away > returned_at_once) { spin_ = away < others_ran ? limits_.few : limits_.most; }
    }

    limits limits_;
    std::size_t spin_;
    std::size_t polls_ = 0;
    std::size_t yields_ = 0;
    bool slept_ = false;      // in this wait
    std::size_t sleeps_ = 0;  // in waits one after the other
};

}  // namespace tutti::control
