// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>

#include <tutti/generator/scan/linear.hpp>
#include <tutti/generator/scan/recursive_multiplying.hpp>
#include <tutti/generator/scan/split.hpp>
#include <tutti/generator/scan/two_tree.hpp>
#include <tutti/problem.hpp>
#include <tutti/selection/expected_time/exchanges.hpp>
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
    auto const halvings = generator.halvings.value_or(0);
    auto const time = time_of_halving(halvings, results_of<Scan>, costs, now);
    bool const short_messages = halvings == 0 || now.bytes / 2 <= now.bytes_per_latency();
    if (std::has_single_bit(now.size) || short_messages) { return time; }
    auto const latencies = (log2_of(now.size) + results_of<Scan> * static_cast<double>(halvings)) * costs.latency();
    return latencies + crowding::of_uneven_leaves * (time - latencies);
}

/// A chain; the total takes it once more, backwards.
template <scan_collective Scan>
[[nodiscard]] double time_of(Scan, linear const& generator, message_costs const& costs, situation const& now) {
    constexpr double results = results_of<Scan>;
    return time_of_segments(costs, now, generator.segments, results * static_cast<double>(now.size - 1), 1, results);
}

template <scan_collective Scan>
[[nodiscard]] double time_of(Scan, two_tree const& generator, message_costs const& costs, situation const& now) {
    constexpr bool with_total = std::same_as<Scan, collective::scan_reduce>;
    return time_of_segments(costs, now, generator.segments, 2 * log2_of(now.size), 1,
                            with_total ? messages_of_scan_reductions_in_trees : messages_of_scans_in_trees);
}

}  // namespace tutti
