// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

#include "../random.hpp"

namespace soak {

/// Threads that take turns in calling MPI, as those of an OpenMP single do.
class turns {
public:
    static constexpr std::size_t kinds = 3;

    turns() = default;
    turns(turns const&) = delete;
    turns& operator=(turns const&) = delete;
    ~turns() {
        if (!second_.joinable()) { return; }
        hand_over([this] { ends_ = true; });
        second_.join();
    }

    /// Performs `action` on this thread (0), on a second one (1) or on one that ends with it, and waits for that.
    template <class Action>
    void perform(std::size_t where, Action action) {
        switch (where) {
        case 0: action(); break;
        case 1:
            if (!second_.joinable()) { second_ = std::thread{[this] { work(); }}; }
            hand_over(action);
            break;
        default: std::thread{action}.join();
        }
    }

private:
    void hand_over(std::function<void()> action) {
        auto lock = std::unique_lock{guard_};
        next_ = std::move(action);
        changed_.notify_all();
        changed_.wait(lock, [this] { return !next_; });
    }
    void work() {
        auto lock = std::unique_lock{guard_};
        while (!ends_) {
            changed_.wait(lock, [this] { return static_cast<bool>(next_); });
            next_();
            next_ = nullptr;
            changed_.notify_all();
        }
    }

    std::thread second_;
    std::mutex guard_;
    std::condition_variable changed_;
    std::function<void()> next_;
    bool ends_ = false;
};

/// One of some things that a rank does, now and then always the same one, for some calls never.
class habit {
public:
    [[nodiscard]] std::size_t next(draw& from, std::size_t end) {
        if (from.one_in(40)) { steadiness_ = from.below(3); }
        if (from.below(2) >= steadiness_) { last_ = from.below(end); }
        return last_;
    }

private:
    std::size_t steadiness_ = 2;  // of 2
    std::size_t last_ = 0;
};

}  // namespace soak
