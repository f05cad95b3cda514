// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace tutti {

namespace monitoring {

/// How many times as long collectives take as by the machine model, learnt from those that have ended. In whole
/// numbers, so that equal inputs give equal factors on every rank.
class time_factor {
public:
    /// The rank that did not wait took `elapsed` ns, where `predicted` had been expected; 0: not known.
    ///
    /// One collective moves the factor by a quarter of its own, which is at most double or half: one that was
    /// disturbed does little harm. It stays within 1/16 and 16.
    void learn(std::int64_t elapsed, std::int64_t predicted) {
        if (elapsed <= 0 || predicted <= 0) { return; }
        auto const observed = std::clamp(elapsed, predicted / 2, 2 * predicted);
        parts_ += (parts_ * observed / predicted - parts_) / 4;
        parts_ = std::clamp(parts_, one / 16, 16 * one);
    }

    [[nodiscard]] double value() const { return static_cast<double>(parts_) / static_cast<double>(one); }
    friend bool operator==(time_factor const&, time_factor const&) = default;

private:
    static constexpr std::int64_t one = 1 << 16;

    std::int64_t parts_ = one;
};

/// Makes times relative to the earliest of them.
inline void make_relative(std::vector<std::int64_t>& times) {
    auto const earliest = *std::min_element(times.begin(), times.end());
    for (auto& each : times) { each -= earliest; }
}

}  // namespace monitoring

/// The expected arrivals of the ranks at the next collective: the same on all ranks, even if they are wrong.
struct process_arrival_pattern {
    std::uint64_t iteration = 0;
    std::vector<std::int64_t> arrivals;    ///< of each rank, in ns after the earliest of them
    monitoring::time_factor time_scale{};  ///< of collectives, beside the machine model

    /// The ranks, sorted by (arrival, rank).
    [[nodiscard]] std::vector<std::size_t> order() const {
        std::vector<std::size_t> ranks(arrivals.size());
        std::iota(ranks.begin(), ranks.end(), std::size_t{0});
        std::stable_sort(ranks.begin(), ranks.end(),
                         [&](std::size_t a, std::size_t b) { return arrivals[a] < arrivals[b]; });
        return ranks;
    }

    friend bool operator==(process_arrival_pattern const&, process_arrival_pattern const&) = default;
};

}  // namespace tutti
