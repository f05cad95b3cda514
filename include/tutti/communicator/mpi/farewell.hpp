// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdio>
#include <list>
#include <mutex>
#include <thread>
#include <utility>

#include <tutti/communicator/mpi/declarations.hpp>

#include <tutti/communicator/empty_calls.hpp>
#include <tutti/communicator/mpi/liveness.hpp>
#include <tutti/communicator/mpi/notice_channel.hpp>
#include <tutti/communicator/mpi/meeting.hpp>
#include <tutti/communicator/mpi/shared_memory/channel.hpp>
#include <tutti/communicator/mpi/tag_pool.hpp>
#include <tutti/communicator/notices.hpp>

namespace tutti::mpi {

/// Where a communicator ends nothing is thrown: a line on standard error reports that a collective of rank `peer` has
/// sent to rank `self` what none there has received.
[[gnu::cold]] inline void report_unreceived(int self, int peer) noexcept {
    std::fprintf(
        stderr,
        "tutti: a collective of rank %d has sent rank %d a message that none there has received; set TUTTI_CHECK=1 "
        "in the environment of rank 0 to find the first call that differs\n",
        peer, self);
}

/// The end of a communicator on this rank, which makes no more calls on it while other ranks may still wait in one.
/// Until these come to the end as well, it answers their questions.
class farewell {
public:
    farewell(MPI_Comm comm, control::notices<notice_channel>&& notices, control::empty_calls&& empty,
             death_watch&& deaths, tag_pool&& tags, node::channel& node, bool is_sound)
        : comm_{comm},
          notices_{std::move(notices)},
          empty_calls_{std::move(empty)},
          deaths_{std::move(deaths)},
          tags_{std::move(tags)},
          meeting_{comm, meeting::purpose::farewell, is_sound && !notices_.are_under_way()} {
        if (!node.ends_by_exception()) { node_ = std::move(node); }
    }

    /// Whether all ranks have come, or one is dead, so that no rank asks any more.
    [[nodiscard]] bool is_over() const noexcept { return is_over_; }

    /// Answers, and frees the communicator when it is over; but not one whose messages may still be under way: MPI
    /// would take them for those of the next one.
    void go_on() noexcept {
        try {
            notices_.answer_all(empty_calls_,
                                "past its last call on this communicator, at MPI_Comm_free or MPI_Finalize");
            tags_.poll();
            bool const all_are_here = meeting_.test() && (tags_.is_idle() || !meeting_.all_are_sound());
            is_over_ = all_are_here || deaths_.find() != death_watch::no_rank;
            if (!all_are_here) { return; }
            bool const is_sound = meeting_.has_one_purpose() && meeting_.all_are_sound() && !notices_.are_under_way();
            if (!is_sound) { return; }
            auto stray = node_.find({});
            if (stray.from < 0) { stray = notices_.channel().find({}); }
            if (stray.from >= 0) { return report_unreceived(notices_.channel().rank(), stray.from); }
            MPI_Comm_free(&comm_);
        } catch (...) { is_over_ = true; }  // MPI has failed, and no caller is left to catch it
    }

private:
    MPI_Comm comm_;
    control::notices<notice_channel> notices_;
    control::empty_calls empty_calls_;
    death_watch deaths_;
    tag_pool tags_;
    meeting meeting_;
    node::channel node_;
    bool is_over_ = false;
};

/// The communicators that this process has left and other ranks have not. MPI_Finalize waits for these; nothing else
/// does, since a program may free communicators in any order, and go on to what needs the others.
class farewells {
public:
    template <class... Arguments>
    static void add(Arguments&&... of_farewell) {
        auto const lock = std::lock_guard{guard_};
        all().emplace_back(std::forward<Arguments>(of_farewell)...);
        any_.store(true, std::memory_order_relaxed);
    }

    /// Called now and then, by ranks that wait and that make or end communicators.
    static void go_on() noexcept {
        if (!any_.load(std::memory_order_relaxed)) { return; }
        auto const lock = std::unique_lock{guard_, std::try_to_lock};  // else another thread is at it
        if (!lock) { return; }
        all().remove_if([](farewell& each) { return static_cast<void>(each.go_on()), each.is_over(); });
        any_.store(!all().empty(), std::memory_order_relaxed);
    }

    static void await_all() noexcept {
        for (go_on(); any_.load(std::memory_order_relaxed); go_on()) { std::this_thread::sleep_for(between_looks); }
    }

private:
    static constexpr std::chrono::microseconds between_looks{50};

    [[nodiscard]] static std::list<farewell>& all() {
        static auto& result = *new std::list<farewell>;
        return result;
    }

    inline static std::mutex guard_;
    inline static std::atomic<bool> any_{false};
};

}  // namespace tutti::mpi
