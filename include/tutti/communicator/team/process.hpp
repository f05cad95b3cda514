// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <utility>

#include <tutti/communicator.hpp>
#include <tutti/communicator/team/local_channel.hpp>
#include <tutti/communicator/team/remote_channel.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/node_map.hpp>

namespace tutti::teams {

/// The state shared by the threads of a process that are ranks of a team.
template <tutti::communicator C>
class process {
public:
    /// `own` connects the processes, the nodes of `ranks`.
    process(std::unique_ptr<C> own, node_map const& ranks)
        : own_{std::move(own)},
          ranks_{ranks},
          notice_queues_(static_cast<std::size_t>(threads_)),
          exchanges_(static_cast<std::size_t>(threads_)),
          states_(static_cast<std::size_t>(threads_)) {}

    [[nodiscard]] node_map const& ranks() const { return ranks_; }
    [[nodiscard]] int self() const { return own_->rank(); }
    [[nodiscard]] int first() const { return first_; }  ///< rank
    [[nodiscard]] int threads() const { return threads_; }
    [[nodiscard]] local_channel& local() { return local_; }
    [[nodiscard]] remote_channel<C>& others() { return others_; }

    /// Completes what has come from other processes, for all threads.
    void progress() {
        others_.progress([this](posted_operation& ended) { local_.complete(ended); });
    }
    /// Gives up operations of a thread with other processes, whose messages have `tag`, because of `why`.
    void give_up(std::span<posted_operation* const> given_up, int tag, std::string_view why) {
        others_.give_up(given_up, tag, why, [this](posted_operation& ended) { local_.complete(ended); });
    }
    /// Whether the first thread posts the messages of all. That is this one.
    [[nodiscard]] bool is_funneled() const { return others_.is_funneled() && own_->size() != 1; }
    [[nodiscard]] bool is_funnel() const { return is_funneled() && others_.allows_this_thread(); }
    [[nodiscard]] funneled_ranks funneled() const {
        return is_funneled() && threads_ != 1 ? funneled_ranks{first_, first_ + threads_, first_} : funneled_ranks{};
    }
    /// A thread needs no more messages of an exchange beside data, which all threads make: one that posts for the
    /// others waits for them, and calls `idle` meanwhile.
    template <class Idle>
    void end_exchange(int thread, Idle idle) {
        auto const ended = ++exchanges_[static_cast<std::size_t>(thread)];
        if (!is_funnel()) { return; }
        auto const is_behind = [&](auto const& each) { return each.load() < ended; };
        while (std::any_of(exchanges_.begin(), exchanges_.end(), is_behind)) {
            progress();
            idle();
        }
    }

    // ---- who has a rank --------------------------------------------------------------------------------------------

    /// A thread takes its rank, with which `calls_begun()` calls have been begun; false if another one has it.
    template <class Calls>
    [[nodiscard]] bool take(int thread, Calls calls_begun) {
        auto const lock = std::lock_guard{states_guard_};
        auto& mine = state_of(thread);
        if (mine.is_held) { return false; }
        mine.is_held = true;
        mine.calls_before = calls_begun();
        return true;
    }
    /// It gives the rank back, with which `calls` have been begun.
    void leave(int thread, std::int64_t calls) {
        auto const lock = std::lock_guard{states_guard_};
        auto& mine = state_of(thread);
        mine.is_held = false;
        mine.calls = calls;
        mine.left_at = C::now();
    }
    /// A thread that has given its rank back, some time ago, after a call that this one has begun since it has its own,
    /// and before the newest; -1 if there is none.
    [[nodiscard]] int missing(int thread, std::int64_t calls) {
        auto const lock = std::lock_guard{states_guard_};
        auto const before = state_of(thread).calls_before;
        auto const found = std::find_if(states_.begin(), states_.end(), [&](rank_state const& each) {
            return !each.is_held && each.calls > before && each.calls < calls &&
                   C::now() - each.left_at > longest_absence;
        });
        return found != states_.end() ? static_cast<int>(found - states_.begin()) : -1;
    }
    /// Whether the thread that posts for the others has posted for a further call of one that has begun the last of the
    /// `calls` since it has its rank.
    [[nodiscard]] bool strands_others(std::int64_t calls) {
        auto const lock = std::lock_guard{states_guard_};
        return is_funnel() && others_.holds_messages([&](posted_operation const& each) {
            return state_of(each.owner).calls_before < calls;
        });
    }

    // ---- notices ---------------------------------------------------------------------------------------------------

    /// To a rank of any process.
    void notify(int peer, remote_notice what) {
        auto const at = teams::endpoint_of(ranks_, peer);
        what.to = at.thread;
        at.process == self() ? put_notice(what) : others_.notify(at.process, what);
    }
    /// The rank that has sent the next one to a thread; -1 if there is none.
    [[nodiscard]] int take_notice(int thread, std::span<std::byte> memory) {
        if (own_->size() > 1) {
            others_.take_notices([this](remote_notice const& what) { put_notice(what); });
        }
        auto& from = notice_queues_[static_cast<std::size_t>(thread)];
        auto const lock = std::lock_guard{from.guard};
        if (from.notices.empty()) { return -1; }
        auto const& first = from.notices.front();
        std::memcpy(memory.data(), first.notice.data(), std::min(memory.size(), first.notice.size()));
        int const sender = first.from;
        from.notices.pop_front();
        return sender;
    }

    // ---- tags of plans ---------------------------------------------------------------------------------------------

    /// The tag of the `number`-th plan of the team: threads make them in one order, each when it comes to it. Calls
    /// `idle` while it waits for the thread that may ask the other processes.
    template <class Idle>
    [[nodiscard]] int tag_of_plan(std::int64_t number, Idle idle) {
        for (;; idle()) {
            auto const lock = std::lock_guard{plans_guard_};
            if (auto const* const found = plan_of([&](tag_entry const& each) { return each.number == number; })) {
                return found->tag;
            }
            if (!others_.allows_this_thread()) { continue; }
            int const tag = others_.new_tag();
            plans_.push_back({++plans_made_, tag, threads_});
            return tag;
        }
    }
    void release_tag(int tag) {
        auto const lock = std::lock_guard{plans_guard_};
        auto* const found = plan_of([&](tag_entry const& each) { return each.tag == tag; });
        if (found == nullptr || --found->holders != 0) { return; }
        plans_.erase(found);
        others_.release_tag(tag);
    }
    /// 0 if no plan of the team has the tag.
    [[nodiscard]] std::int64_t number_of_plan(int tag) {
        auto const lock = std::lock_guard{plans_guard_};
        auto const* const found = plan_of([&](tag_entry const& each) { return each.tag == tag; });
        return found != nullptr ? found->number : 0;
    }

    // ---- together --------------------------------------------------------------------------------------------------

    /// All threads of all processes recover. Result: the number of plans made so far. Calls `idle` while it waits.
    template <class Idle>
    [[nodiscard]] std::int64_t recover(int thread, Idle idle) {
        bool const is_chosen = others_.is_funneled() ? others_.allows_this_thread() : thread == 0;
        auto const round = rounds_.load();
        ++arrived_;
        if (!is_chosen) {
            while (rounds_.load() == round) { idle(); }
        } else {
            while (arrived_.load() != threads_) { idle(); }
            arrived_ = 0;
            why_not_ = nullptr;
            for (auto& each : exchanges_) { each = 0; }
            try {
                others_.recover(std::span{&plans_made_, 1});
            } catch (...) { why_not_ = std::current_exception(); }
            ++rounds_;
        }
        if (why_not_ != nullptr) { std::rethrow_exception(why_not_); }
        return plans_made_;
    }

    /// Returns when all processes have called, unless this one `has_failed`: then it waits for none, and the others do
    /// not wait for it. Calls `idle` while it waits.
    template <class Idle>
    void end(bool has_failed, Idle idle) {
        remote_notice round{.from = first_, .to = -1};
        for (int distance = 1; distance < own_->size(); distance *= 2, --round.to) {
            others_.notify((own_->rank() + distance) % own_->size(), round);
            while (!has_failed && (ended_rounds_.load() & static_cast<unsigned>(distance)) == 0) { idle(); }
        }
        auto const begun = C::now();
        while (others_.sends_round() && !(has_failed && C::now() - begun > longest_end)) { idle(); }
    }

private:
    static constexpr std::int64_t longest_end = 1'000'000'000;      // ns
    static constexpr std::int64_t longest_absence = 1'000'000'000;  // ns

    struct alignas(64) notice_queue {
        std::mutex guard;
        std::deque<remote_notice> notices;
    };
    struct rank_state {
        bool is_held = false;
        std::int64_t calls_before = 0;  // it was taken
        std::int64_t calls = 0;         // when it was given back
        std::int64_t left_at = 0;       // ns
    };
    struct tag_entry {
        std::int64_t number;
        int tag;
        int holders;  // threads that have not released it yet
    };

    void put_notice(remote_notice const& what) {
        if (what.to < 0) {
            ended_rounds_ |= 1U << (-1 - what.to);
            return;
        }
        {
            auto& to = notice_queues_[static_cast<std::size_t>(what.to)];
            auto const lock = std::lock_guard{to.guard};
            to.notices.push_back(what);
        }
        local_.wake(what.to);
    }

    [[nodiscard]] rank_state& state_of(int thread) { return states_[static_cast<std::size_t>(thread)]; }

    template <class Predicate>
    [[nodiscard]] tag_entry* plan_of(Predicate is_it) {
        auto* const found = std::find_if(plans_.begin(), plans_.end(), is_it);
        return found != plans_.end() ? found : nullptr;
    }

    std::unique_ptr<C> own_;
    node_map ranks_;
    int first_ = teams::first_of(ranks_, own_->rank());
    int threads_ = static_cast<int>(ranks_.ranks_on(static_cast<std::size_t>(own_->rank()), ranks_.names_ranks()));
    local_channel local_{first_, threads_};
    remote_channel<C> others_{*own_, ranks_};
    std::deque<notice_queue> notice_queues_;
    std::deque<std::atomic<std::int64_t>> exchanges_;  // that each thread has ended
    std::mutex states_guard_;
    std::deque<rank_state> states_;
    std::mutex plans_guard_;
    dynamic_array<tag_entry> plans_;
    std::int64_t plans_made_ = 0;
    std::atomic<int> arrived_ = 0;
    std::atomic<int> rounds_ = 0;
    std::exception_ptr why_not_;
    std::atomic<unsigned> ended_rounds_ = 0;  // bit k: the message of round k of `end` has come
};

}  // namespace tutti::teams
