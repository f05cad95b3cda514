// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include <tutti/communicator.hpp>
#include <tutti/communicator/threads/call_log.hpp>
#include <tutti/communicator/threads/error.hpp>
#include <tutti/communicator/threads/posted_operation.hpp>
#include <tutti/communicator/threads/options.hpp>
#include <tutti/communicator/threads/waiting.hpp>

namespace tutti::threads {

/// Knows of every rank whether it runs, waits or has left, and ends the team when something is wrong.
///
/// Only a running rank completes another's operation, and it wakes the rank that waits for that operation before it can
/// wait or leave itself. So when no rank runs, none will be woken: that is a deadlock, without a doubt and without
/// a clock.
class team_monitor {
public:
    explicit team_monitor(int size) : log_{size} {
        for (int rank = 0; rank < size; ++rank) { ranks_.emplace_back(); }
    }

    [[nodiscard]] bool ended() const noexcept { return ended_.load(); }

    /// Rank `rank` enters a collective. Its mark, for its messages: where two that match have different marks, some
    /// rank has to `compare_calls`.
    [[nodiscard]] call_digest_count enter(int rank, control::call const& entered) {
        if (!log_.make(rank, entered)) {
            {
                std::lock_guard const lock{mutex_};
                end_if_wrong(log_.make_room(rank));
            }
            static_cast<void>(log_.make(rank, entered));
        }
        if (log_.any_finished()) { compare_calls(); }
        return log_.mark(rank);
    }

    /// Ends the team if the ranks have made different calls.
    void compare_calls() {
        std::lock_guard const lock{mutex_};
        if (!ended_) { end_if_wrong(log_.compare()); }
    }

    /// Blocks rank `rank` until one of `requests` is complete or the team has ended. May return early.
    void block(int rank, std::span<request const> requests) {
        std::unique_lock lock{mutex_};
        if (ended_) { return; }
        auto ready = false;
        for (auto const& each : requests) {
            if (each.pending != nullptr && !each.pending->await()) {
                ready = true;
                break;
            }
        }
        if (!ready) {
            auto& self = at(rank);
            self.now = run_state::blocked;
            self.requests = requests;
            ++blocked_;
            end_if_stuck();
            self.wake.wait(lock, [&] { return self.now != run_state::blocked; });
            self.requests = {};
        }
        lock.unlock();
        for (auto const& each : requests) {
            if (each.pending != nullptr) { each.pending->await_no_longer(); }
        }
    }

    /// Completes an operation; from then on it belongs to its owner again.
    void complete(posted_operation& ended) {
        auto& owner = at(ended.owner);
        if (ended.progress.exchange(posted_operation::state::complete) != posted_operation::state::awaited) { return; }
        {
            std::lock_guard const lock{mutex_};
            if (owner.now != run_state::blocked) { return; }
            wake(owner);
        }
        owner.wake.notify_one();
    }

    /// Rank `rank` has returned, and left `unfinished` requests behind.
    void returned(int rank, std::size_t unfinished) {
        std::lock_guard const lock{mutex_};
        at(rank).unfinished = unfinished;
        if (!ended_) { end_if_wrong(log_.finish(rank)); }
        leave_team(rank, run_state::returned);
    }

    /// An exception has left rank `rank`. One that follows from another rank's does not end the team as long as
    /// others run: the one it follows from may still be on its way.
    void threw(int rank, std::exception_ptr thrown, bool secondary, std::string const& what) {
        std::lock_guard const lock{mutex_};
        auto why = "tutti: the team was ended by an exception on rank " + std::to_string(rank) + ": " + what;
        if (!secondary) {
            end(std::move(thrown), std::move(why));
        } else if (!secondary_) {
            secondary_ = std::move(thrown);
            why_secondary_ = std::move(why);
        }
        leave_team(rank, run_state::threw);
    }

    /// Ends the team because of `wrong`, unless it has ended already.
    template <class Error>
    void fail(Error const& wrong) {
        std::lock_guard const lock{mutex_};
        end(std::make_exception_ptr(wrong), wrong.what());
    }

    /// Ends the team because rank `rank` has given up a message under way, most likely by an exception that has
    /// yet to arrive here.
    void abandon(int rank) {
        std::lock_guard const lock{mutex_};
        end(nullptr, "tutti: the team was ended by rank " + std::to_string(rank) +
                         ", which gave up a message that was under way");
    }

    /// What a rank throws when it meets the end of the team.
    [[noreturn]] void throw_ended() {
        std::unique_lock lock{mutex_};
        // A copy with characters of its own: the exceptions of the ranks share nothing.
        auto const why = std::string{why_.c_str()};
        auto const stuck = stuck_;
        auto const mismatched = mismatched_;
        lock.unlock();
        if (stuck) { throw deadlock{why}; }
        if (mismatched) { throw mismatch{why}; }
        throw team_ended{why};
    }

    /// Waits until all ranks have left; false if they have not in `time`.
    [[nodiscard]] bool wait_until_left(std::chrono::steady_clock::duration time) {
        std::unique_lock lock{mutex_};
        auto const all_left = [&] { return left_ == ranks_.size(); };
        // a time that no clock reaches is forever as well
        if (time >= std::chrono::steady_clock::time_point::max() - std::chrono::steady_clock::now()) {
            all_left_.wait(lock, all_left);
            return true;
        }
        return all_left_.wait_for(lock, time, all_left);
    }

    /// Ends the team because time is up; reports where the ranks are.
    std::string time_out() {
        std::lock_guard const lock{mutex_};
        auto why = "tutti: timed out: " + describe_ranks() + "; give run a longer timeout if the ranks are only slow";
        if (left_ == ranks_.size()) { return why; }
        end(std::make_exception_ptr(timed_out{why}), why);
        return why;
    }

    /// What `run` throws; null if nothing was wrong.
    [[nodiscard]] std::exception_ptr cause() {
        std::lock_guard const lock{mutex_};
        if (cause_ || secondary_) { return cause_ ? cause_ : secondary_; }
        return ended_ ? std::make_exception_ptr(team_ended{why_}) : nullptr;
    }

private:
    enum class run_state { running, blocked, returned, threw };

    struct state {
        run_state now = run_state::running;
        std::span<request const> requests;
        std::size_t unfinished = 0;
        std::condition_variable wake;
    };

    [[nodiscard]] state& at(int rank) { return ranks_[static_cast<std::size_t>(rank)]; }

    void wake(state& blocked) {
        blocked.now = run_state::running;
        --blocked_;
    }

    void leave_team(int rank, run_state how) {
        at(rank).now = how;
        ++left_;
        end_if_stuck();
        if (left_ == ranks_.size()) { all_left_.notify_all(); }
    }

    void end_if_stuck() {
        if (ended_ || blocked_ == 0 || blocked_ + left_ < ranks_.size()) { return; }
        if (secondary_) {
            end(secondary_, why_secondary_);
        } else if (!end_if_wrong(log_.compare())) {
            auto why = "tutti: deadlock: " + describe_ranks() + "; make the same calls on all ranks";
            stuck_ = true;
            end(std::make_exception_ptr(deadlock{why}), why);
        }
    }

    /// Whether something was wrong with the ranks' calls.
    bool end_if_wrong(std::optional<std::string> const& wrong) {
        if (!wrong) { return false; }
        mismatched_ = mismatched_ || !ended_;
        end(std::make_exception_ptr(mismatch{*wrong}), *wrong);
        return true;
    }

    void end(std::exception_ptr cause, std::string why) {
        if (!cause_) { cause_ = std::move(cause); }
        if (ended_) { return; }
        why_ = std::move(why);
        ended_ = true;
        for (auto& each : ranks_) {
            if (each.now == run_state::blocked) {
                wake(each);
                each.wake.notify_one();
            }
        }
    }

    /// Where the ranks are: those that have not left first.
    [[nodiscard]] std::string describe_ranks() const {
        std::string present;
        std::string gone;
        int rank = 0;
        for (auto const& each : ranks_) {
            auto const left = each.now == run_state::returned || each.now == run_state::threw;
            auto& list = left ? gone : present;
            if (!list.empty()) { list += ", "; }
            list += whereabouts_of(rank++, each);
        }
        return present + (present.empty() || gone.empty() ? "" : "; ") + gone;
    }

    [[nodiscard]] std::string whereabouts_of(int rank, state const& at) const {
        auto text = "rank " + std::to_string(rank);
        if (at.now == run_state::threw) { return text + " has left by an exception"; }
        if (at.now == run_state::returned) {
            text += " has returned";
            if (at.unfinished > 0) {
                text += " leaving " + std::to_string(at.unfinished) + " of its requests unfinished";
            }
            return text;
        }
        text = at.now == run_state::blocked ? waits_for(rank, at.requests) : text + " is running";
        if (auto newest = log_.newest(rank)) {
            newest->counts = {};  // of all ranks
            text.append(" (in ").append(control::text_of(*newest, false)).append(")");
        }
        return text;
    }

    std::mutex mutex_;
    std::deque<state> ranks_;
    call_log log_;
    std::size_t blocked_ = 0;
    std::size_t left_ = 0;
    std::condition_variable all_left_;
    std::atomic<bool> ended_ = false;
    bool stuck_ = false;
    bool mismatched_ = false;
    std::exception_ptr cause_;
    std::string why_;
    std::exception_ptr secondary_;
    std::string why_secondary_;
};

}  // namespace tutti::threads
