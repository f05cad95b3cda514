// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <tutti/arrival/clock.hpp>
#include <tutti/arrival/control_messages.hpp>
#include <tutti/arrival/exchange.hpp>
#include <tutti/arrival/pattern.hpp>
#include <tutti/communicator.hpp>
#include <tutti/communicator/agreement.hpp>

namespace tutti::monitoring {

/// Hears when the ranks expect to arrive, and decides what all of them shall believe.
///
/// It decides when it has heard of all, or as soon as one has entered: no rank is to wait for another. Until then none
/// has entered, so no rank arrives before the decision. A rank without an estimate is late and stands last: as late as
/// the last time that happened to it.
class leader {
public:
    explicit leader(std::size_t size) : size_{size}, arrivals_(size), lateness_(size) {}

    /// What a rank has said; times in ns on the leader's clock.
    struct report {
        std::size_t rank = 0;
        std::uint64_t iteration = 0;
        std::int64_t arrival = 0;
        std::int64_t elapsed = 0;
        std::int64_t predicted = 0;
    };

    /// A rank tells when it is expected, once in each iteration.
    [[nodiscard]] std::optional<process_arrival_pattern> hear(report const& message, std::int64_t now) {
        learn(message);
        if (message.iteration + 1 == iteration_) { lateness_[message.rank] = message.arrival - decided_; }
        if (message.iteration != iteration_) { return std::nullopt; }
        arrivals_[message.rank] = message.arrival;
        if (++heard_ < size_) { return std::nullopt; }
        return decide(now);
    }

    /// A rank that was heard of has entered `iteration`.
    [[nodiscard]] std::optional<process_arrival_pattern> enter(std::size_t rank, std::uint64_t iteration,
                                                               std::int64_t now) {
        if (iteration != iteration_) { return std::nullopt; }
        arrivals_[rank] = now;
        return decide(now);
    }

private:
    /// What the ranks say of the collective before an iteration, which some of them begin late.
    struct experience {
        std::size_t reported = 0;
        std::int64_t elapsed = std::numeric_limits<std::int64_t>::max();
        std::int64_t predicted = 0;
    };

    void learn(report const& message) {
        auto& known = experiences_[message.iteration];
        known.elapsed = std::min(known.elapsed, message.elapsed);
        known.predicted = std::max(known.predicted, message.predicted);
        if (++known.reported < size_) { return; }
        time_scale_.learn(known.elapsed, known.predicted);
        experiences_.erase(message.iteration);
    }

    [[nodiscard]] process_arrival_pattern decide(std::int64_t now) {
        process_arrival_pattern result{
            .iteration = iteration_, .arrivals = {}, .time_scale = time_scale_, .heard = heard_};
        std::int64_t latest = 0;
        for (auto const& each : arrivals_) {
            if (each) { latest = std::max(latest, *each - now); }
        }
        for (std::size_t rank = 0; rank < size_; ++rank) {
            auto const& arrival = arrivals_[rank];
            result.arrivals.push_back(arrival ? std::max<std::int64_t>(0, *arrival - now)
                                              : std::max(latest + 1, lateness_[rank]));
        }
        auto const earliest = *std::min_element(result.arrivals.begin(), result.arrivals.end());
        for (auto& each : result.arrivals) { each -= earliest; }
        arrivals_.assign(size_, std::nullopt);
        heard_ = 0;
        decided_ = now;
        ++iteration_;
        return result;
    }

    std::size_t size_;
    time_factor time_scale_;
    std::uint64_t iteration_ = 0;
    std::vector<std::optional<std::int64_t>> arrivals_;
    std::size_t heard_ = 0;
    std::int64_t decided_ = 0;            // when the last decision was made
    std::vector<std::int64_t> lateness_;  // after the decision, of those who were not heard of
    std::map<std::uint64_t, experience> experiences_;
};

/// What the helpers of the ranks tell each other, for all monitors of a world: reports go to rank 0, its decisions
/// down a binomial tree. After a decision with another order each rank sends a control message to the one after it, as
/// the collective will: then the connection exists.
///
/// Never waits. A control message may come for a monitor that has ended on this rank; it is ignored.
template <communicator C>
class leader_protocol {
public:
    /// Over a communicator of its own. `offset` has to be added to this rank's clock for the clock of rank 0.
    leader_protocol(C& ranks, std::int64_t offset)
        : rank_{ranks.rank()}, size_{ranks.size()}, offset_{offset}, reports_{ranks.new_tag()},
          decisions_{ranks.new_tag()}, warm_up_{ranks.new_tag()}, fastest_reports_(static_cast<std::size_t>(size_)),
          control_messages_{ranks} {
        if (rank_ != 0) { expect_decision(); }
        for (int peer = 1; rank_ == 0 && peer < size_; ++peer) { expect_report(peer); }
    }

    /// The communicator needs to be able to send as many words.
    [[nodiscard]] static std::size_t longest_message(std::size_t size) { return decision_head + size; }

    /// A monitor begins, on all ranks before any of them sends anything about it.
    void open(std::uint64_t monitor) {
        auto& opened = monitor_states_[monitor];
        if (rank_ == 0) { opened.decides.emplace(static_cast<std::size_t>(size_)); }
    }

    /// It ends, and others get no more decisions through this rank.
    void close(std::uint64_t monitor) {
        auto const found = monitor_states_.find(monitor);
        if (found == monitor_states_.end()) { return; }
        if (!found->second.has_ended) { pass_on(ending_of(monitor)); }
        monitor_states_.erase(found);
    }

    void publish(std::uint64_t monitor, announcement const& message) {
        auto const time = C::now();
        report(payload{number(monitor), expects, number(message.iteration), time + offset_, message.expected - time,
                     message.elapsed, message.predicted});
    }

    /// This rank has entered, and waits unless it is decided.
    void enter(std::uint64_t monitor, std::uint64_t iteration) {
        auto const& decided = monitor_states_.at(monitor).decided;
        if (!decided.empty() && decided.back().iteration >= iteration) { return; }
        report(payload{number(monitor), enters, number(iteration), C::now() + offset_, 0, 0, 0});
    }

    /// The next decision, if it has come.
    [[nodiscard]] std::optional<process_arrival_pattern> take_decision(std::uint64_t monitor) {
        auto& decided = monitor_states_.at(monitor).decided;
        if (decided.empty()) { return std::nullopt; }
        auto result = std::optional{std::move(decided.front())};
        decided.pop_front();
        return result;
    }

    /// Whether no more decisions come.
    [[nodiscard]] bool has_ended(std::uint64_t monitor) const { return monitor_states_.at(monitor).has_ended; }

    /// Takes in what has come. Whether anything has happened.
    bool test() {
        return control_messages_.test([this](int peer, int tag, payload const& text) {
            if (tag == reports_) {
                expect_report(peer);
                hear(peer, text);
            } else if (tag == decisions_) {
                expect_decision();
                learn(text);
            }
        });
    }

    [[nodiscard]] control_messages<C>& post() { return control_messages_; }

private:
    enum report_kind : std::int64_t { expects, enters };
    enum decision_kind : std::int64_t { decides, ends };
    static constexpr std::size_t report_words = 7;
    static constexpr std::size_t decision_head = 5;

    struct monitor_state {
        std::optional<leader> decides;  ///< on rank 0
        std::deque<process_arrival_pattern> decided;
        bool has_ended = false;
        std::vector<std::size_t> warm;  ///< the last order
    };

    [[nodiscard]] static std::int64_t number(std::uint64_t count) { return static_cast<std::int64_t>(count); }

    void expect_report(int peer) { control_messages_.expect(peer, reports_, report_words); }
    void expect_decision() {
        auto const parent = control::binomial_tree{rank_, size_}.parent();
        control_messages_.expect(parent, decisions_, longest_message(static_cast<std::size_t>(size_)));
    }

    void report(payload const& message) {
        if (rank_ == 0) {
            hear(0, message);
        } else {
            control_messages_.send(0, reports_, message);
        }
    }

    /// On rank 0. A report may lie about until a helper looks, so it has the time at which it was sent. By what its
    /// clock is wrong is what the fastest reports seem to take; that is forgotten slowly, for clocks drift.
    void hear(int peer, payload const& text) {
        auto const monitor = static_cast<std::uint64_t>(text[0]);
        auto const found = monitor_states_.find(monitor);
        if (found == monitor_states_.end()) { return; }
        auto& leading = *found->second.decides;
        auto const rank = static_cast<std::size_t>(peer);
        auto const iteration = static_cast<std::uint64_t>(text[2]);
        auto const time = C::now();
        auto& fastest = fastest_reports_[rank];
        auto const way = time - text[3];
        fastest = std::min(way, fastest + (way - fastest) / 64);
        auto const sent = text[3] + fastest;
        auto const decided =
            text[1] == enters
                ? leading.enter(rank, iteration, time)
                : leading.hear({rank, iteration, sent + text[4], text[5], text[6]}, time);
        if (decided) { learn(decision_of(monitor, *decided)); }
    }

    [[nodiscard]] static payload decision_of(std::uint64_t monitor, process_arrival_pattern const& decided) {
        payload text{number(monitor), decides, number(decided.iteration), number(decided.heard),
                     decided.time_scale.in_parts()};
        text.insert(text.end(), decided.arrivals.begin(), decided.arrivals.end());
        return text;
    }
    [[nodiscard]] static payload ending_of(std::uint64_t monitor) { return {number(monitor), ends}; }

    void learn(payload const& text) {
        auto const found = monitor_states_.find(static_cast<std::uint64_t>(text[0]));
        if (found == monitor_states_.end() || found->second.has_ended) { return; }
        pass_on(text);
        if (text[1] == ends) {
            found->second.has_ended = true;
            return;
        }
        auto& decided = found->second.decided.emplace_back();
        decided.iteration = static_cast<std::uint64_t>(text[2]);
        decided.heard = static_cast<std::size_t>(text[3]);
        decided.time_scale = time_factor{text[4]};
        decided.arrivals.assign(text.begin() + decision_head, text.end());
        warm_up(decided.order(), found->second.warm);
    }

    void pass_on(payload const& text) {
        for (int const child : control::binomial_tree{rank_, size_}.children()) {
            control_messages_.send(child, decisions_, text);
        }
    }

    void warm_up(std::vector<std::size_t> order, std::vector<std::size_t>& warm) {
        if (order == warm || size_ < 2) { return; }
        auto const self = std::find(order.begin(), order.end(), static_cast<std::size_t>(rank_));
        auto const next = self + 1 == order.end() ? order.front() : *(self + 1);
        auto const previous = self == order.begin() ? order.back() : *(self - 1);
        control_messages_.expect(static_cast<int>(previous), warm_up_, 1);
        control_messages_.send(static_cast<int>(next), warm_up_, payload{0});
        warm = std::move(order);
    }

    int rank_;
    int size_;
    std::int64_t offset_;
    int reports_;
    int decisions_;
    int warm_up_;
    std::map<std::uint64_t, monitor_state> monitor_states_;
    payload fastest_reports_;  ///< ns between the clock of a rank and rank 0's, as measured at first
    control_messages<C> control_messages_;
};

}  // namespace tutti::monitoring
