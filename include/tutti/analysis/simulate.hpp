// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include <tutti/analysis/broken_schedule.hpp>
#include <tutti/analysis/cost_model.hpp>
#include <tutti/analysis/process.hpp>
#include <tutti/analysis/schedules_of.hpp>
#include <tutti/analysis/timeline.hpp>
#include <tutti/generator/named.hpp>
#include <tutti/partition.hpp>
#include <tutti/schedule.hpp>
#include <tutti/text.hpp>

namespace tutti::analysis::simulation {

/// Runs the schedules of all ranks through time.
///
/// All models: a receive is taken up when the program gets there, and the program waits until it has ended; a
/// transfer starts when both ends are ready for it; steps that overwrite blocks wait for the rank's own earlier
/// sends of them.
/// Unidirectional: one thing at a time in program order, sends included. Only where all would wait for one
/// another (everyone sends first) sends let later steps pass.
/// Bidirectional: sends wait in line for the send port and the program goes on; combines need both ports idle
/// and go before waiting sends.
/// Overlapped: sends wait in line for the one port, and for the combines of their blocks; combines run beside.
/// Of transfers that could start at the same time and exclude each other the one of the lower round, then of
/// the lower sender, is first. If the network carries no more, others wait for the next one to end.
template <class Schedule>
class engine {
public:
    engine(std::vector<Schedule> schedules, partition const& cut, cost_model const& costs,
           std::vector<double> arrivals)
        : schedules_{std::move(schedules)}, cut_{cut}, costs_{costs} {
        line_.model = costs.model;
        line_.arrivals = arrivals.empty() ? std::vector<double>(schedules_.size(), 0.0) : std::move(arrivals);
        line_.finish = line_.arrivals;
        for (std::size_t rank = 0; rank < schedules_.size(); ++rank) {
            processes_.push_back({schedules_[rank].begin(), schedules_[rank].end(), filled_blocks{cut.blocks()}});
            events_.push({line_.arrivals[rank], event::arrival, rank, rank});
        }
    }

    engine(engine const&) = delete;
    engine& operator=(engine const&) = delete;

    [[nodiscard]] timeline run() {
        while (!events_.empty() || break_standstill()) {
            now_ = events_.empty() ? 0.0 : events_.top().time;
            while (!events_.empty() && events_.top().time == now_) {
                auto const one = events_.top();
                events_.pop();
                handle(one);
            }
            start_ready(false);
        }
        std::stable_sort(line_.events.begin(), line_.events.end(), [](auto const& a, auto const& b) {
            return std::tie(a.start, a.rank, a.what) < std::tie(b.start, b.rank, b.what);
        });
        return std::move(line_);
    }

private:
    struct event {
        enum kind : std::uint8_t { arrival, transfer_ends, job_ends };
        double time;
        kind what;
        std::size_t rank;   // of transfers: the sender
        std::size_t peer;   // of transfers: the receiver
        friend bool operator>(event const& a, event const& b) {
            return std::tie(a.time, a.rank, a.what) > std::tie(b.time, b.rank, b.what);
        }
    };

    void touch(std::size_t rank, double time) {
        auto& self = processes_[rank];
        self.clock = std::max(self.clock, time);
        if (!std::exchange(self.touched, true)) { touched_.push_back(rank); }
    }

    void handle(event const& one) {
        auto& self = processes_[one.rank];
        touch(one.rank, one.time);
        if (one.what == event::arrival) {
            self.arrived = true;
        } else if (one.what == event::job_ends) {
            end_job(self);
        } else {
            touch(one.peer, one.time);
            --under_way_;
            self.sending = false;
            auto const running = [](posted_send const& each) { return each.running; };
            self.sends.erase(std::find_if(self.sends.begin(), self.sends.end(), running));
            auto& peer = processes_[one.peer];
            peer.receiving = false;
            peer.offers = false;
            compute_or_fill(peer);
            ++peer.next;
            ++peer.index;
        }
    }

    void end_job(process<Schedule>& self) {
        self.computing = false;
        self.jobs.pop_front();
    }

    /// The step at which the program stands, as far as the processor is concerned: work in line, or nothing to do
    /// but to remember what is no longer empty.
    void compute_or_fill(process<Schedule>& self) {
        std::size_t elements = 0;
        std::size_t blocks = 0;
        for (auto const& range : self.now.blocks) {
            for (auto block = range.first; block < range.last; ++block) {
                if (self.now.combines() && cut_.size(block) != 0 && self.filled.test(self.now.target, block)) {
                    elements += cut_.size(block);
                    ++blocks;
                }
                self.filled.set(self.now.target, block);
            }
        }
        if (self.now.what == action::receive) { return; }
        self.jobs.push_back({self.now, self.index, blocks, blocks == 0 ? 0.0 : costs_.combine(elements, blocks)});
    }

    /// Lets the program of `rank` and its processor go on as far as they can without a transfer.
    void proceed(std::size_t rank) {
        auto& self = processes_[rank];
        while (self.arrived) {
            if (self.may_compute(costs_.model)) {
                start_job(rank);
                continue;
            }
            if (self.offers || self.next == self.last || !may_pass(self)) { return; }
            self.now = *self.next;
            if (auto const why = symbolic::malformed(self.now, rank, processes_.size(), cut_); !why.empty()) {
                throw broken_schedule{step_text::place(rank, self.index, self.now) + ": " + why};
            }
            if (self.now.receives()) {
                self.offers = true;
                continue;
            }
            if (self.now.what == action::send) {
                self.sends.push_back({self.now, self.index});
            } else {
                compute_or_fill(self);
            }
            ++self.next;
            ++self.index;
        }
    }

    [[nodiscard]] bool may_pass(process<Schedule> const& self) const {
        if (costs_.model == ports::overlapped) { return true; }
        return self.jobs.empty() && (costs_.model == ports::bidirectional ||
                                     std::all_of(self.sends.begin(), self.sends.end(),
                                                 [](posted_send const& each) { return each.overtaken; }));
    }

    void start_job(std::size_t rank) {
        auto& self = processes_[rank];
        auto const& work = self.jobs.front();
        auto const end = self.clock + work.duration;
        if (work.what.what == action::copy || work.blocks != 0) {
            auto const kind = work.what.what == action::copy ? analysis::activity::copy : analysis::activity::combine;
            record(kind, rank, work.what.communicates() ? work.what.peer : rank, work.what.blocks, self.clock, end);
        }
        self.computing = true;
        if (end > self.clock) {
            events_.push({end, event::job_ends, rank, rank});
        } else {
            end_job(self);
        }
    }

    /// The send of `sender` that `receiver` waits for, if it could start now; in line unless `out_of_line`.
    [[nodiscard]] posted_send* startable(std::size_t sender, std::size_t receiver, bool out_of_line) {
        auto& from = processes_[sender];
        auto& to = processes_[receiver];
        if (!to.offers || to.now.peer != sender || !to.may_receive(costs_.model)) { return nullptr; }
        auto const found = std::find_if(from.sends.begin(), from.sends.end(),
                                        [&](posted_send const& each) { return each.what.peer == receiver; });
        if (found == from.sends.end() || found->running || (found != from.sends.begin() && !out_of_line)) {
            return nullptr;
        }
        return from.may_send(*found, costs_.model) ? &*found : nullptr;
    }

    bool start_ready(bool out_of_line) {
        auto candidates = std::exchange(deferred_, {});
        auto const consider = [&](std::size_t sender, std::size_t receiver) {
            if (auto const* one = startable(sender, receiver, out_of_line)) {
                candidates.push_back({one->what.round, sender, receiver});
            }
        };
        for (auto const rank : touched_) { proceed(rank); }
        for (auto const rank : touched_) {
            auto& self = processes_[rank];
            self.touched = false;
            if (self.offers) { consider(self.now.peer, rank); }
            if (!self.sends.empty()) { consider(rank, self.sends.front().what.peer); }
        }
        touched_.clear();
        std::sort(candidates.begin(), candidates.end(), [](possible_transfer const& a, possible_transfer const& b) {
            return std::tie(a.round, a.sender) < std::tie(b.round, b.sender);
        });
        bool any = false;
        for (auto const& each : candidates) {
            auto* const one = startable(each.sender, each.receiver, out_of_line);
            if (one == nullptr) { continue; }
            if (under_way_ == costs_.transfers_at_once) {
                deferred_.push_back(each);
                continue;
            }
            start_transfer(each.sender, each.receiver, *one);
            any = true;
        }
        return any;
    }

    void start_transfer(std::size_t sender, std::size_t receiver, posted_send& one) {
        auto& from = processes_[sender];
        auto& to = processes_[receiver];
        if (!symbolic::same_blocks(one.what.blocks, to.now.blocks)) {
            throw broken_schedule{step_text::place(receiver, to.index, to.now) + ": the matching message is " +
                                  step_text::place(sender, one.index, one.what) + ", which has other blocks"};
        }
        from.sending = to.receiving = one.running = true;
        std::size_t elements = 0;
        std::size_t blocks = 0;
        for (auto const& range : one.what.blocks) {
            elements += cut_.size(range.first, range.last);
            for (auto block = range.first; block < range.last; ++block) { blocks += cut_.size(block) != 0 ? 1U : 0U; }
        }
        ++under_way_;
        auto start = std::max(from.clock, to.clock);
        if (costs_.transfers_at_once != generators::unlimited_transfers) { start = std::max(start, now_); }
        auto const end = start + costs_.transfer(elements, blocks);
        record(analysis::activity::transfer, sender, receiver, one.what.blocks, start, end);
        events_.push({end, event::transfer_ends, sender, receiver});
    }

    void record(analysis::activity what, std::size_t rank, std::size_t peer, block_list const& list, double start,
                double end) {
        std::size_t blocks = 0;
        for (auto const& range : list) { blocks += range.last - range.first; }
        line_.events.push_back({what, rank, peer, list.begin()->first, blocks, start, end});
        line_.finish[rank] = std::max(line_.finish[rank], end);
        if (what == analysis::activity::transfer) { line_.finish[peer] = std::max(line_.finish[peer], end); }
    }

    /// Nothing is under way: lets sends be passed, then lets them start out of line. False when all have
    /// finished; throws if some have not and nothing helps.
    bool break_standstill() {
        std::size_t stuck = processes_.size();
        for (bool more = true; more;) {  // a program may send several times before it receives
            more = false;
            for (std::size_t rank = processes_.size(); rank-- > 0;) {
                auto& self = processes_[rank];
                if (self.finished()) { continue; }
                stuck = rank;
                for (auto& each : self.sends) { more = !std::exchange(each.overtaken, true) || more; }
                touch(rank, 0);
            }
            if (stuck == processes_.size()) { return false; }
            if (start_ready(false) || !events_.empty()) { return true; }
        }
        for (std::size_t rank = 0; rank < processes_.size(); ++rank) {
            if (!processes_[rank].finished()) { touch(rank, 0); }
        }
        if (start_ready(true)) { return true; }
        auto const& self = processes_[stuck];
        auto const at = self.offers ? step_text::place(stuck, self.index, self.now)
                                    : step_text::place(stuck, self.sends.front().index, self.sends.front().what);
        throw broken_schedule{"deadlock: " + at + " never ends"};
    }

    std::vector<Schedule> schedules_;
    partition const& cut_;
    cost_model costs_;
    timeline line_;
    std::vector<process<Schedule>> processes_;
    std::priority_queue<event, std::vector<event>, std::greater<>> events_;
    std::vector<std::size_t> touched_;
    std::vector<possible_transfer> deferred_;  // could start if the network carried more
    std::size_t under_way_ = 0;                   // transfers
    double now_ = 0;
};

}  // namespace tutti::analysis::simulation

namespace tutti::analysis {

/// The timeline of all ranks if messages and combines cost what `costs` states and rank r begins at arrivals[r]
/// (without arrivals: all at 0).
/// Requires: root < size and as many arrivals as ranks, or none; otherwise it throws std::invalid_argument. It throws
/// broken_schedule if messages do not match or ranks wait for one another, which no verified schedule does.
/// Cost: O(n log n) for n steps in total; schedules are read during the simulation.
template <class Collective, generators::generator_for<Collective> Generator>
[[nodiscard]] timeline simulate(Collective, Generator const& generator, std::size_t size, std::size_t root,
                                partition const& cut, cost_model const& costs,
                                std::vector<double> const& arrivals = {}) {
    if (!arrivals.empty() && arrivals.size() != size) {
        throw std::invalid_argument{"tutti: a simulation needs one arrival time for every rank, or none"};
    }
    using generators::name_of;
    auto schedules = analysis::schedules_of(Collective{}, generator, size, root, cut);
    auto line = simulation::engine{std::move(schedules), cut, costs, arrivals}.run();
    line.title = text::joined({Collective::name, " by ", name_of(Collective{}, generator), ", ",
                               text::word(size, "rank"), ", ", text::word(cut.blocks(), "block")});
    return line;
}

}  // namespace tutti::analysis

namespace tutti {
using analysis::simulate;
}  // namespace tutti
