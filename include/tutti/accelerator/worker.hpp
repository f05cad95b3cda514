// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <atomic>
#include <condition_variable>
#include <csignal>
#include <cstddef>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

namespace tutti::accelerator {

/// The thread of a communicator; begins with the first call.
class worker {
public:
    /// Something that is done bit by bit: whether it has ended.
    using work = std::function<bool()>;

    worker() = default;
    worker(worker const&) = delete;
    worker& operator=(worker const&) = delete;
    ~worker() {
        if (!thread_.joinable()) { return; }
        {
            auto const lock = std::lock_guard{guard_};
            ends_ = true;
        }
        changed_.notify_all();
        thread_.join();
    }

    /// Whether there is a thread.
    [[nodiscard]] bool start() noexcept {
        // signals are the program's, whose own threads may expect them
        sigset_t all, before;
        sigfillset(&all);
        for (int const fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) { sigdelset(&all, fault); }
        pthread_sigmask(SIG_SETMASK, &all, &before);
        try {
            thread_ = std::thread{[this] { run(); }};
        } catch (std::system_error const&) {}
        pthread_sigmask(SIG_SETMASK, &before, nullptr);
        return thread_.joinable();
    }
    /// Another rank has no thread.
    void refuse() { is_refused_ = true; }
    [[nodiscard]] bool is_refused() const { return is_refused_; }

    void add(work call) {
        auto const lock = std::lock_guard{guard_};
        calls_.push_back(std::move(call));
        changed_.notify_all();
    }

    /// Has the thread call `step` in its turn until it has ended, and waits for that.
    template <class Step>
    void perform_all(Step step) {
        auto const done = std::make_shared<std::promise<void>>();
        auto const ended = done->get_future();
        add([&step, done] {
            bool const has_ended = step();
            if (has_ended) { done->set_value(); }
            return has_ended;
        });
        ended.wait();
    }

    /// Waits for all calls.
    void drain() {
        auto lock = std::unique_lock{guard_};
        changed_.wait(lock, [&] { return calls_.empty(); });
    }

    /// From now on all calls of the communicator are plans that the thread polls.
    void poll_all() { polls_all_ = true; }
    [[nodiscard]] bool polls_all() const { return polls_all_; }

private:
    void run() {
        auto lock = std::unique_lock{guard_};
        for (;;) {
            changed_.wait(lock, [&] { return ends_ || !calls_.empty(); });
            if (calls_.empty()) { return; }
            bool any_ended = false;
            for (std::size_t i = 0; i != calls_.size();) {
                auto const& call = calls_[i];  // which stays where it is when others are added
                lock.unlock();
                bool const ended = call();
                lock.lock();
                any_ended = any_ended || ended;
                if (ended) {
                    calls_.erase(calls_.begin() + static_cast<std::ptrdiff_t>(i));
                } else {
                    ++i;
                }
            }
            if (any_ended) {
                changed_.notify_all();
            } else {
                lock.unlock();
                std::this_thread::yield();
                lock.lock();
            }
        }
    }

    std::mutex guard_;
    std::condition_variable changed_;
    std::deque<work> calls_;
    bool ends_ = false;
    bool is_refused_ = false;
    std::atomic<bool> polls_all_{false};
    std::thread thread_;
};

}  // namespace tutti::accelerator
