// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <vector>

#include <tutti/arrival/cost_feedback.hpp>
#include <tutti/arrival/pattern.hpp>

namespace tutti::monitoring {

/// Hears when the ranks expect to arrive, and decides what all of them shall believe.
///
/// It decides when it has heard of all, or as soon as one has entered: no rank is to wait for another. Until then none
/// has entered, so no rank arrives before the decision. A rank without an estimate is late and stands last: as late as
/// the last time that happened to it.
class leader {
public:
    leader(std::size_t size, cost_feedback costs) : size_{size}, costs_{costs}, arrivals_(size), lateness_(size) {}

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
        costs_.learn(known.elapsed, known.predicted);
        experiences_.erase(message.iteration);
    }

    [[nodiscard]] process_arrival_pattern decide(std::int64_t now) {
        process_arrival_pattern result{
            .iteration = iteration_, .arrivals = {}, .costs = costs_.costs(), .heard = heard_};
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
    cost_feedback costs_;
    std::uint64_t iteration_ = 0;
    std::vector<std::optional<std::int64_t>> arrivals_;
    std::size_t heard_ = 0;
    std::int64_t decided_ = 0;            // when the last decision was made
    std::vector<std::int64_t> lateness_;  // after the decision, of those who were not heard of
    std::map<std::uint64_t, experience> experiences_;
};

}  // namespace tutti::monitoring
