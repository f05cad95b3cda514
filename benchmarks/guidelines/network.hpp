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

#include <tutti/cost/machine.hpp>
#include <tutti/program.hpp>

namespace tutti::benchmark::guidelines {

/// What the programs of all ranks take where messages cost what LogGP says: every rank has a processor, which is busy
/// for o with each message and for m γ with each combine, and a link in each direction, which carries one message at a
/// time and a new one after g. What is ready goes first; messages wait for links, and nothing else delays them. Long
/// messages come in pieces, which are combined while the next ones come.
class network {
public:
    network(machine_model const& machine, double bytes_per_element)
        : link_{machine.between_nodes},
          combine_{machine.combine_per_byte * bytes_per_element},
          bytes_{bytes_per_element},
          piece_{machine.longest_message} {}

    /// When the ranks have ended, if rank r begins at begins[r].
    [[nodiscard]] std::vector<double> run(std::vector<engine::program> const& programs,
                                          std::vector<double> const& begins) {
        ranks_.assign(programs.size(), {});
        channels_.assign(programs.size() * programs.size(), {});
        for (std::size_t r = 0; r != programs.size(); ++r) {
            auto& rank = ranks_[r];
            rank.code = &programs[r];
            rank.end = begins.empty() ? 0 : begins[r];
            rank.processor = rank.out = rank.in = rank.end;
            rank.waits_for.resize(rank.code->instructions.size());
            rank.arrived.assign(rank.waits_for.size(), never);
            rank.ready = rank.arrived;
            for (std::size_t i = 0; i != rank.waits_for.size(); ++i) {
                auto const& each = rank.code->instructions[i];
                rank.waits_for[i] = each.predecessors;
                if (each.receives()) { channel(static_cast<std::size_t>(each.peer), r).receives.push_back(i); }
                if (each.predecessors == 0) { events_.push({rank.end, event::ready, r, i}); }
            }
        }
        while (!events_.empty()) {
            auto const now = events_.top();
            events_.pop();
            handle(now);
        }
        std::vector<double> result;
        for (auto const& each : ranks_) {
            if (each.done != each.waits_for.size()) { throw std::logic_error{"tutti: these programs never end"}; }
            result.push_back(each.end);
        }
        return result;
    }

private:
    static constexpr double never = -1;

    struct event {
        enum kind : std::uint8_t { ended, arrival, ready };
        double time;
        kind what;
        std::size_t rank;
        std::size_t instruction;
        friend bool operator>(event const& a, event const& b) {
            return std::tie(a.time, a.what, a.rank, a.instruction) > std::tie(b.time, b.what, b.rank, b.instruction);
        }
    };
    struct state {
        engine::program const* code = nullptr;
        std::vector<std::uint32_t> waits_for;
        std::vector<double> arrived;  // when the messages of receives have
        std::vector<double> ready;    // since when receives that come first wait for them
        double processor = 0, out = 0, in = 0;  // free from then on
        double end = 0;
        std::size_t done = 0;
    };
    struct messages {
        std::vector<std::size_t> receives;
        std::size_t sent = 0;
    };

    [[nodiscard]] messages& channel(std::size_t from, std::size_t to) { return channels_[from * ranks_.size() + to]; }
    [[nodiscard]] double busy_for(double bytes) const { return std::max(link_.gap, bytes * link_.per_byte); }

    void handle(event const& now) {
        auto& rank = ranks_[now.rank];
        auto const& one = rank.code->instructions[now.instruction];
        auto const bytes = static_cast<double>(one.elements) * bytes_;
        switch (now.what) {
        case event::ready:
            if (one.what == schedules::action::send) {
                rank.processor = std::max(rank.processor, now.time) + link_.overhead;
                auto const begins = std::max(rank.processor, rank.out);
                rank.out = begins + busy_for(bytes);
                auto const peer = static_cast<std::size_t>(one.peer);
                auto& to = channel(now.rank, peer);
                events_.push({begins + link_.latency + bytes * link_.per_byte, event::arrival, peer,
                              to.receives.at(to.sent++)});
                events_.push({begins, event::ended, now.rank, now.instruction});
            } else if (!one.receives()) {
                rank.processor = std::max(rank.processor, now.time) + combine_of(rank, one);
                events_.push({rank.processor, event::ended, now.rank, now.instruction});
            } else if (rank.arrived[now.instruction] != never) {
                take(now.rank, now.instruction, now.time);
            } else {
                rank.ready[now.instruction] = now.time;
            }
            return;
        case event::arrival: {
            auto const whole = std::max(now.time, rank.in + busy_for(bytes));
            rank.in = whole;
            rank.arrived[now.instruction] = whole;
            if (rank.ready[now.instruction] != never) { take(now.rank, now.instruction, rank.ready[now.instruction]); }
            return;
        }
        case event::ended:
            ++rank.done;
            rank.end = std::max(rank.end, now.time);
            for (auto f = one.first_follower; f != one.last_follower; ++f) {
                auto const next = rank.code->followers[f];
                if (--rank.waits_for[next] == 0) { events_.push({now.time, event::ready, now.rank, next}); }
            }
            return;
        }
    }

    /// A message that has come to a receive which is ready from then on.
    void take(std::size_t receiver, std::size_t instruction, double ready) {
        auto& rank = ranks_[receiver];
        auto const& one = rank.code->instructions[instruction];
        auto const whole = rank.arrived[instruction];
        auto const pieces = std::max(static_cast<double>(one.elements) * bytes_ / piece_, 1.0);
        auto const first = whole - (1 - 1 / pieces) * busy_for(static_cast<double>(one.elements) * bytes_);
        auto const seconds = combine_of(rank, one);
        rank.processor = std::max(std::max({rank.processor, ready, first}) + link_.overhead + seconds,
                                  std::max(whole, ready) + link_.overhead + seconds / pieces);
        events_.push({rank.processor, event::ended, receiver, instruction});
    }

    [[nodiscard]] double combine_of(state const& rank, engine::instruction const& one) const {
        std::size_t elements = 0;
        for (auto r = one.first_range; r != one.last_range; ++r) {
            auto const& range = rank.code->ranges[r];
            if (range.right.memory != engine::location::nowhere) { elements += range.count; }
        }
        return static_cast<double>(elements) * combine_;
    }

    loggp link_;
    double combine_;
    double bytes_;
    double piece_;
    std::vector<state> ranks_;
    std::vector<messages> channels_;
    std::priority_queue<event, std::vector<event>, std::greater<>> events_;
};

}  // namespace tutti::benchmark::guidelines
