// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <concepts>
#include <cstddef>

#include <tutti/generator/scan/linear.hpp>
#include <tutti/generator/scan/recursive_multiplying.hpp>
#include <tutti/generator/scan/split.hpp>
#include <tutti/generator/scan/two_tree.hpp>
#include <tutti/problem.hpp>
#include <tutti/selection/expected_time/exchanges.hpp>
#include <tutti/selection/expected_time/leaf_levels.hpp>
#include <tutti/selection/expected_time/pipelines.hpp>
#include <tutti/selection/message_costs.hpp>
#include <tutti/selection/situation.hpp>

namespace tutti {

template <scan_collective Scan>
[[nodiscard]] double time_of(Scan, recursive_multiplying const& generator, message_costs const& costs,
                             situation const& now) {
    return time_of_levels(generator, costs, now);
}

/// How many messages a rank gets for each segment, on average, and sends.
inline constexpr double messages_of_scans_in_trees = 2.5;
inline constexpr double messages_of_scan_reductions_in_trees = 3.5;

template <scan_collective Scan>
[[nodiscard]] double time_of(Scan, split const& generator, message_costs const& costs, situation const& now) {
    leaf_levels const levels{generator.halvings.value_or(0), costs, now};
    constexpr bool upwards = !std::same_as<Scan, collective::scan_reduce>;
    return levels.there() + results_of<Scan> * (upwards ? levels.back_upwards() : levels.back());
}

/// A chain; the total takes it once more, backwards.
template <scan_collective Scan>
[[nodiscard]] double time_of(Scan, linear const& generator, message_costs const& costs, situation const& now) {
    constexpr double results = results_of<Scan>;
    return time_of_segments(generator.segments,
                            {.hops = results * static_cast<double>(now.size - 1), .messages = results}, costs, now);
}

template <scan_collective Scan>
[[nodiscard]] double time_of(Scan, two_tree const& generator, message_costs const& costs, situation const& now) {
    constexpr bool with_total = std::same_as<Scan, collective::scan_reduce>;
    constexpr double messages = with_total ? messages_of_scan_reductions_in_trees : messages_of_scans_in_trees;
    return time_of_segments(generator.segments, {.hops = 2 * log2_of(now.size), .messages = messages}, costs, now);
}

}  // namespace tutti
