// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include <tutti/arrival/pattern.hpp>
#include <tutti/generator/all_reduce/late_rank.hpp>
#include <tutti/selection/forecast/ring_family.hpp>

namespace tutti::forecast {

/// The number of segments for which the reduction of the early ranks and the distribution take least, each about
/// (n - 1 + q)(α + m β / n).
[[nodiscard]] inline std::size_t best_segments_of_late_rank(std::size_t size, link_costs const& costs,
                                                            std::size_t bytes) {
    auto const rounds = static_cast<double>(late_broadcast_rounds(size, 1));
    auto const whole = static_cast<double>(costs.transfer(bytes) - costs.latency);
    auto const latency = static_cast<double>(std::max<std::int64_t>(costs.latency, 1));
    return std::clamp<std::size_t>(static_cast<std::size_t>(std::sqrt(rounds * whole / latency)), 2, bytes / 8 + 2);
}

/// When the positions end, if position p arrives at arrivals[p], sorted: the last rank waits for the others' result,
/// they for what the last one brings. Ranks do not keep step, so that messages of different rounds meet and wait for
/// each other: that takes a fifth more in simulations of real programs.
[[nodiscard]] inline times end_of_late_rank(times const& arrivals, link_costs const& costs, std::size_t bytes,
                                            std::size_t segments) {
    auto const size = arrivals.size();
    auto const round = costs.transfer((bytes - 1) / segments + 1) * 6 / 5;
    auto const before = static_cast<std::int64_t>(early_reduction_rounds(size, segments)) * round;
    auto const after = static_cast<std::int64_t>(late_broadcast_rounds(size, segments)) * round;
    return times(size, std::max(arrivals[size - 2] + before, arrivals[size - 1]) + after);
}

}  // namespace tutti::forecast
