// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include <tutti/arrival/clock.hpp>
#include <tutti/arrival/exchange.hpp>
#include <tutti/arrival/leader_protocol.hpp>
#include <tutti/arrival/pattern.hpp>
#include <tutti/communicator.hpp>
#include <tutti/error.hpp>

namespace tutti::monitoring {

/// Other ranks have ended the monitor that this one asks.
struct monitor_ended : std::logic_error, control::secondary_error {
    using std::logic_error::logic_error;
};

/// The helper of a rank with a thread of its own, for all monitors of a world.
///
/// The thread runs while there are monitors. The rest lives as long as the world, for a control message may be on its
/// way to this rank when the last monitor has ended. Nothing is waited for under the lock.
template <communicator C>
class helper_thread {
public:
    helper_thread() = default;
    helper_thread(helper_thread const&) = delete;
    helper_thread& operator=(helper_thread const&) = delete;
    ~helper_thread() { end(); }

    /// Before a monitor begins; false if there is no thread to be had, so that the ranks can agree to do without.
    [[nodiscard]] bool start() {
        if (thread_.joinable()) { return true; }
        stopping_ = false;
        try {
            thread_ = std::thread{[this] { serve(); }};
        } catch (std::system_error const&) { return false; }
        return true;
    }
    /// The ranks do without.
    void stop_unless_used() noexcept {
        if (open_ == 0) { stop(); }
    }

    /// A monitor begins on `ranks`; all ranks begin the same in the same order. Its number.
    [[nodiscard]] std::uint64_t open(C& ranks) {
        if (!own_) {
            auto own = ranks.duplicate();
            auto protocol = std::make_unique<leader_protocol<C>>(*own, monitoring::offset_to_rank_0(ranks));
            std::lock_guard const lock{mutex_};
            own_ = std::move(own);
            leader_protocol_ = std::move(protocol);
        }
        std::lock_guard const lock{mutex_};
        auto const monitor = opened_++;
        leader_protocol_->open(monitor);
        ++open_;
        return monitor;
    }

    void close(std::uint64_t monitor) noexcept {
        {
            std::lock_guard const lock{mutex_};
            --open_;
            if (leader_protocol_) { guarded([&] { leader_protocol_->close(monitor); }); }
        }
        if (open_ == 0) {
            stop();
            push_out();
        }
    }

    void publish(std::uint64_t monitor, announcement const& message) {
        std::lock_guard const lock{mutex_};
        require_running();
        leader_protocol_->publish(monitor, message);
        changed_.notify_all();
    }

    /// Waits for the decision of `iteration`; calls `look` now and then, which may throw.
    template <class Look>
    [[nodiscard]] process_arrival_pattern enter(std::uint64_t monitor, std::uint64_t iteration, Look look) {
        std::unique_lock lock{mutex_};
        require_running();
        leader_protocol_->enter(monitor, iteration);
        for (;;) {
            if (auto decided = leader_protocol_->take_decision(monitor)) { return std::move(*decided); }
            if (leader_protocol_->has_ended(monitor)) {
                throw monitor_ended{"tutti: this rank asks its arrival monitor for iteration " +
                                    std::to_string(iteration) + ", but other ranks have ended theirs before"};
            }
            lock.unlock();
            look();
            lock.lock();
            require_running();
            if (!leader_protocol_->test()) { changed_.wait_for(lock, shortest); }
        }
    }

    /// The world ends.
    void end() noexcept {
        stop();
        if (!leader_protocol_) { return; }
        guarded([&] {
            leader_protocol_->post().stop_expecting();
            own_->drain(leader_protocol_->post().requests());
        });
        leader_protocol_.reset();
        own_.reset();
    }

private:
    static constexpr std::chrono::nanoseconds shortest{50'000};
    static constexpr std::chrono::nanoseconds longest{1'000'000};

    /// Sleeps longer the longer nothing has happened: computing threads need the processors.
    void serve() {
        std::unique_lock lock{mutex_};
        auto sleep = shortest;
        while (!stopping_ && !failure_) {
            auto happened = false;
            guarded([&] { happened = leader_protocol_ && leader_protocol_->test(); });
            if (happened) { changed_.notify_all(); }
            sleep = happened ? shortest : std::min(longest, sleep + sleep / 4);
            if (changed_.wait_for(lock, sleep) == std::cv_status::no_timeout) { sleep = shortest; }
        }
    }

    void stop() noexcept {
        {
            std::lock_guard const lock{mutex_};
            stopping_ = true;
            changed_.notify_all();
        }
        if (thread_.joinable()) { thread_.join(); }
    }

    /// A communicator may need further calls to send what it was given before; then no more come for a while.
    void push_out() noexcept {
        guarded([&] {
            for (int i = 0; i < 64 && leader_protocol_ && leader_protocol_->post().is_sending(); ++i) {
                leader_protocol_->test();
            }
        });
    }

    template <class Action>
    void guarded(Action action) noexcept {
        try {
            action();
        } catch (...) {
            if (!failure_) { failure_ = std::current_exception(); }
            changed_.notify_all();
        }
    }

    void require_running() const {
        if (failure_) { std::rethrow_exception(failure_); }
        if (!leader_protocol_) {
            throw std::logic_error{"tutti: the communicator of this arrival monitor has been freed"};
        }
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::unique_ptr<C> own_;
    std::unique_ptr<leader_protocol<C>> leader_protocol_;
    std::uint64_t opened_ = 0;
    std::size_t open_ = 0;
    bool stopping_ = false;
    std::exception_ptr failure_;
    std::thread thread_;
};

/// The helper thread of a world, as long as the world lives.
template <communicator C>
struct attached_helper {
    ~attached_helper() {
        if (there) { there->end(); }
    }

    std::shared_ptr<helper_thread<C>> there;
};

/// The exchange by a helper on each rank, and the decisions of rank 0.
template <communicator C>
class by_helper final : public exchange {
public:
    /// All ranks construct theirs at the same time, with a thread that has been started.
    by_helper(C& ranks, std::shared_ptr<helper_thread<C>> started)
        : ranks_{ranks}, helper_thread_{std::move(started)}, monitor_{helper_thread_->open(ranks)} {
        try {
            control_channel{ranks}
                .barrier();  // no rank sends anything about a monitor that another one does not know yet
        } catch (...) {
            helper_thread_->close(monitor_);
            throw;
        }
    }

    ~by_helper() override { helper_thread_->close(monitor_); }

    [[nodiscard]] exchange_kind kind() const override { return exchange_kind::helper_thread; }
    [[nodiscard]] std::int64_t now() const override { return C::now(); }
    void publish(announcement const& message) override { helper_thread_->publish(monitor_, message); }
    void progress() override {}

    [[nodiscard]] process_arrival_pattern enter(std::uint64_t iteration) override {
        return helper_thread_->enter(monitor_, iteration, [this] { ranks_.test_some({}, {}); });
    }

private:
    C& ranks_;
    std::shared_ptr<helper_thread<C>> helper_thread_;
    std::uint64_t monitor_;
};

}  // namespace tutti::monitoring
