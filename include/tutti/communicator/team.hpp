// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <stdexcept>
#include <thread>
#include <type_traits>
#include <utility>

#include <tutti/communicator.hpp>
#include <tutti/communicator/control_channel.hpp>
#include <tutti/communicator/team/communicator.hpp>
#include <tutti/communicator/team/process.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/node_map.hpp>
#include <tutti/text.hpp>

namespace tutti {

namespace teams {

/// The `world` of a thread: a rank of a team. Copies are the same rank. If an exception destroys the last copy, the
/// rank has left, and calls that wait for it fail.
template <tutti::communicator C>
class rank_of_team {
public:
    rank_of_team(communicator<C>& ranks, std::shared_ptr<void> holder) : ranks_{&ranks}, holder_{std::move(holder)} {}

    [[nodiscard]] int rank() const noexcept { return ranks_->rank(); }
    [[nodiscard]] int size() const noexcept { return ranks_->size(); }
    [[nodiscard]] communicator<C>& complete() const noexcept { return *ranks_; }

private:
    communicator<C>* ranks_;
    std::shared_ptr<void> holder_;
};

}  // namespace teams

/// A communicator whose ranks are the threads of several processes: those of process 0, then those of process 1, ...
///
/// `team{processes, threads}`: `processes` is the world of the processes, such as an MPI_Comm. This process adds
/// `threads` threads; the number may differ between processes. `rank(i)`, with i from 0 to `threads()` - 1, returns the
/// world of the thread that calls it. Its collectives are those of all threads of all processes.
///
/// Requires: each process constructs the team, and ends it, by one thread while no other has a rank, between the same
/// calls on `processes`. If MPI has at most MPI_THREAD_FUNNELED, the thread that initialised MPI does so. A thread
/// keeps its rank while it is in a call, and for all calls of a region if others do.
/// Result: a separate communicator: `processes` may be used beside it, as far as MPI's level of threads allows.
/// Errors: std::invalid_argument for fewer threads than 1, on all processes. From `rank`, on the calling thread alone:
/// std::invalid_argument for a number that is no thread's, std::logic_error for one that another thread has.
/// Cost: a private communicator of the processes. At the beginning, two consecutive messages for each of log2 p rounds;
/// at the end, one round of them, which waits for all processes unless a call has failed.
template <communicator C>
class team {
public:
    template <world Outer>
    team(Outer const& processes, int threads) : team{control::complete_communicator_of(processes), threads, 0} {}
    team(team const&) = delete;
    team& operator=(team const&) = delete;
    ~team() {
        bool has_failed = std::uncaught_exceptions() > exceptions_;
        for (auto& each : ranks_) { has_failed = has_failed || each.supervisor().failed(); }
        try {
            shared_->end(has_failed, [this] {
                for (auto& each : ranks_) { each.answer_all("whose team ends"); }
                std::this_thread::yield();
            });
        } catch (...) {}  // other processes wait no longer either: their communicator has failed
    }

    [[nodiscard]] int threads() const { return shared_->threads(); }

    [[nodiscard]] teams::rank_of_team<C> rank(int thread) {
        if (thread < 0 || thread >= threads()) {
            throw std::invalid_argument{text::joined({"tutti: this process brings ", threads(),
                                                      " threads to its team, so rank(", thread,
                                                      ") is none of them; number them from 0 on"})};
        }
        if (shared_->is_funneled() && (thread == 0) != shared_->is_funnel()) {
            throw std::logic_error{text::joined({"tutti: MPI lets only the thread call that has initialised it, which "
                                                 "has to be rank(0) of its team; rank(", thread, ") is another one"})};
        }
        auto& ranks = ranks_[static_cast<std::size_t>(thread)];
        if (!ranks.take()) {
            throw std::logic_error{text::joined({"tutti: another thread is rank(", thread,
                                                 ") of this team already; give each thread a number of its own"})};
        }
        std::shared_ptr<void> held{&ranks, [before = std::uncaught_exceptions()](void* left) {
            static_cast<teams::communicator<C>*>(left)->leave(std::uncaught_exceptions() > before);
        }};
        return {ranks, std::move(held)};
    }

private:
    team(C& processes, int threads, int /*all*/) {
        auto own = processes.duplicate();
        messaging::control_channel<C> channel{*own};
        messaging::payload all(static_cast<std::size_t>(own->size()));
        auto const each = channel.gather({threads});
        for (std::size_t i = 0; i != each.size(); ++i) { all[i] = each[i].front(); }
        channel.broadcast(all);
        dynamic_array<std::size_t> process_of_rank;
        for (std::size_t i = 0; i != all.size(); ++i) {
            if (all[i] < 1) {
                throw std::invalid_argument{text::joined({"tutti: process ", i, " brings ", all[i],
                                                          " threads to a team; bring at least 1"})};
            }
            for (std::int64_t thread = 0; thread != all[i]; ++thread) { process_of_rank.push_back(i); }
        }
        auto const& outer = processes.nodes();
        auto const each_has = outer.processors() / outer.most_on_a_node(all.size());
        auto const nodes = node_map{process_of_rank}
                               .with_processors(std::max(each_has, std::min<std::size_t>(outer.processors(), 1)))
                               .on_one_machine(outer.shares_memory(all.size()));
        shared_ = std::make_unique<teams::process<C>>(std::move(own), nodes);
        auto const& usual = processes.supervisor();
        for (int i = 0; i != threads; ++i) {
            auto& here = ranks_.emplace_back(*shared_, i).supervisor();
            here.time_limit(usual.time_limit());
            here.set_hook(control::call_hook::comparing, usual.has_hook(control::call_hook::comparing));
        }
    }

    int exceptions_ = std::uncaught_exceptions();
    std::unique_ptr<teams::process<C>> shared_;
    std::deque<teams::communicator<C>> ranks_;
};

template <world Outer>
team(Outer const&, int)
    -> team<std::remove_cvref_t<decltype(control::complete_communicator_of(std::declval<Outer const&>()))>>;

template <communicator C>
struct communicator_of<teams::rank_of_team<C>> {
    [[nodiscard]] static teams::communicator<C>& get(teams::rank_of_team<C> const& world) noexcept {
        return world.complete();
    }
};

}  // namespace tutti
