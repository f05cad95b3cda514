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

#include <tutti/communicator/mpi/liveness.hpp>
#include <tutti/communicator/mpi/notice_channel.hpp>
#include <tutti/communicator/mpi/rendezvous_barrier.hpp>
#include <tutti/communicator/mpi/shared_memory/channel.hpp>
#include <tutti/communicator/mpi/tag_pool.hpp>
#include <tutti/communicator/notices.hpp>
#include <tutti/communicator/zero_count_calls.hpp>

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

/// A communicator on which this rank makes no more calls, and other ranks may still wait in one. It is freed when all
/// ranks have come this far; until then this rank answers their questions.
class deferred_free {
public:
    [[gnu::cold]] deferred_free(MPI_Comm comm, control::notices<notice_channel>&& notices,
                                control::zero_count_calls&& empty, death_watch&& deaths, tag_pool&& tags,
                                node::channel& node, bool is_sound)
        : comm_{comm},
          notices_{std::move(notices)},
          zero_count_calls_{std::move(empty)},
          deaths_{std::move(deaths)},
          tags_{std::move(tags)},
          barrier_{comm, rendezvous_barrier::entered_by::comm_free, is_sound && !notices_.are_under_way()} {
        if (!node.ends_by_exception()) { node_ = std::move(node); }
    }

    /// Whether no rank asks any more: all have come this far, or one is dead.
    [[nodiscard]] bool is_over() const noexcept { return is_over_; }

    /// Answers questions, and frees the communicator if all ranks have come this far. One whose messages may be under
    /// way is never freed: MPI could deliver them in the next one.
    [[gnu::cold]] void progress() noexcept {
        try {
            notices_.answer_all(zero_count_calls_,
                                "past its last call on this communicator, at MPI_Comm_free or MPI_Finalize");
            tags_.poll();
            bool const all_are_here = barrier_.test() && (tags_.is_idle() || !barrier_.all_are_sound());
            is_over_ = all_are_here || deaths_.find() != death_watch::no_rank;
            if (!all_are_here) { return; }
            bool const is_sound = barrier_.all_entered_alike() && barrier_.all_are_sound() && !notices_.are_under_way();
            if (!is_sound) { return; }
            auto stray = node_.find({});
            if (stray.from < 0 || notices_.channel().discards(stray.tag)) { stray = notices_.channel().discard_some(); }
            if (stray.from >= 0) { return report_unreceived(notices_.channel().rank(), stray.from); }
            MPI_Comm_free(&comm_);
        } catch (...) { is_over_ = true; }  // MPI has failed, and no caller is left to catch it
    }

private:
    MPI_Comm comm_;
    control::notices<notice_channel> notices_;
    control::zero_count_calls zero_count_calls_;
    death_watch deaths_;
    tag_pool tags_;
    rendezvous_barrier barrier_;
    node::channel node_;
    bool is_over_ = false;
};

/// All deferred frees of this process. MPI_Finalize waits for them; nothing else does, since a program may free
/// communicators in any order.
class deferred_frees {
public:
    template <class... Arguments>
    static void add(Arguments&&... of_farewell) {
        auto const lock = std::lock_guard{guard_};
        all().emplace_back(std::forward<Arguments>(of_farewell)...);
        any_.store(true, std::memory_order_relaxed);
    }

    /// Called now and then by ranks that wait, and where communicators are made or end.
    [[gnu::cold]] static void progress() noexcept {
        if (!any_.load(std::memory_order_relaxed)) { return; }
        auto const lock = std::unique_lock{guard_, std::try_to_lock};  // else another thread does it
        if (!lock) { return; }
        all().remove_if([](deferred_free& each) {
            each.progress();
            return each.is_over();
        });
        any_.store(!all().empty(), std::memory_order_relaxed);
    }

    static void await_all() noexcept {
        for (progress(); any_.load(std::memory_order_relaxed); progress()) {
            std::this_thread::sleep_for(between_looks);
        }
    }

private:
    static constexpr std::chrono::microseconds between_looks{50};

    [[nodiscard]] static std::list<deferred_free>& all() {
        static auto& result = *new std::list<deferred_free>;
        return result;
    }

    inline static std::mutex guard_;
    inline static std::atomic<bool> any_{false};
};

}  // namespace tutti::mpi
