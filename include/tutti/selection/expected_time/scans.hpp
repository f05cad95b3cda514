// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>

#include <tutti/generator/direct.hpp>
#include <tutti/generator/linear.hpp>
#include <tutti/generator/pattern/hypercube.hpp>
#include <tutti/generator/recursive_multiplying.hpp>
#include <tutti/generator/scan_and_broadcast.hpp>
#include <tutti/generator/split.hpp>
#include <tutti/generator/transposed_scan.hpp>
#include <tutti/generator/two_tree.hpp>
#include <tutti/problem.hpp>
#include <tutti/selection/call_parameters.hpp>
#include <tutti/selection/expected_time/exchanges.hpp>
#include <tutti/selection/expected_time/trees.hpp>
#include <tutti/selection/message_costs.hpp>

namespace tutti {

/// A rank combines each message twice, with its prefix and with its group's product: except in the first round, when it
/// has no prefix, and, unless the total is wanted, in the last one, when no product is needed.
template <scan_collective Scan>
[[nodiscard, gnu::cold]] double time_of(Scan, recursive_multiplying const& generator, message_costs const& costs,
                                        call_parameters const& now) {
    auto const bytes = static_cast<double>(now.bytes);
    double result = 0, rounds = 0;
    constexpr bool with_total = std::same_as<Scan, collective::scan_reduce>;
    for_each_round(generator, now, costs.whole(), [&](double time, double more) {
        result += with_total ? time + more : time;
        ++rounds;
    });
    if (with_total) { return result + (rounds - 1) * costs.combine(bytes); }
    if (std::same_as<Scan, collective::inclusive_scan>) { rounds = std::max(rounds, 2.0); }
    return result + (rounds - 2) * costs.combine(bytes);
}

/// Bytes that a rank of `split` combines beside its messages of the halvings: a second product in rounds that halve
/// nothing, what lies before it on the way back, and its own operand in the end.
template <scan_collective Scan>
[[nodiscard, gnu::cold]] double further_bytes(std::size_t halvings, call_parameters const& now) {
    hypercube const all{now.size};
    auto const levels = all.levels();
    auto const whole = static_cast<double>(now.bytes);
    auto const part = [&](std::size_t level) { return whole / static_cast<double>(std::size_t{1} << level); };
    // ranks of two leaves, which receive nothing in the last step back, do twice as much in all others
    bool const twice = !all.is_power_of_two() && halvings != 0;
    double result = 0;
    for (std::size_t k = halvings + 1; k < levels; ++k) { result += part(halvings); }
    for (std::size_t k = twice ? 1 : 0; k < std::min(halvings, levels - 1); ++k) { result += part(k + 1); }
    if (twice) { result *= 2; }
    return std::same_as<Scan, collective::inclusive_scan> ? result + whole : result;
}

template <scan_collective Scan>
[[nodiscard, gnu::cold]] double time_of(Scan, split const& generator, message_costs const& costs,
                                        call_parameters const& now) {
    auto const halvings = generator.halvings.value_or(0);
    auto const whole = costs.whole();
    halving_cost const levels{halvings, whole, now};
    constexpr bool with_total = std::same_as<Scan, collective::scan_reduce>;
    auto const return_time = with_total ? levels.all_gather_time(results_of<Scan>) : levels.scan_return_time();
    return levels.reduce_scatter_time() + return_time + costs.combine(further_bytes<Scan>(halvings, now));
}

/// A chain; the total goes back along it. A rank that sends on both what it received and what it has combined combines
/// when the whole message has arrived.
template <scan_collective Scan>
[[nodiscard, gnu::cold]] double time_of(Scan, linear const& generator, message_costs const& costs,
                                        call_parameters const& now) {
    constexpr double results = results_of<Scan>;
    auto const hops = static_cast<double>(now.size - 1);
    pipeline_cost cost{.hops = results * hops, .messages = results, .kept = results - 1};
    if constexpr (std::same_as<Scan, collective::inclusive_scan>) {
        return time_of_segments(generator.segments, cost, costs, now);
    }
    // the last rank of an exclusive scan, and ranks that receive the total, do not combine
    constexpr bool exclusive = std::same_as<Scan, collective::exclusive_scan>;
    cost.combines = (exclusive ? hops - 1 : hops) / cost.hops;
    auto const combining = exclusive && now.size == 2 ? costs.without_combines() : costs.whole();
    return time_of_segments(generator.segments, cost, combining, now);
}

/// Small trees have fewer inner ranks. Of three ranks one is in the middle of each tree; in an exclusive scan it combines
/// every other segment.
template <scan_collective Scan>
[[nodiscard, gnu::cold]] double time_of(Scan, two_tree const& generator, message_costs const& costs,
                                        call_parameters const& now) {
    constexpr double results = results_of<Scan>;
    auto const size = static_cast<double>(now.size);
    auto const messages = std::max(now.fitted.messages_of_two_tree_scans * (1 - 1 / size) * (1 - 1 / size), 1.0);
    bool const one_level = now.size <= 3;
    pipeline_cost cost{.hops = one_level ? results * (size - 1) : 2 * log2_of(now.size),
                           .messages = messages + results - 1,
                           .kept = results - 1,
                           .contention_factor = segment_contention(now)};
    if (one_level && std::same_as<Scan, collective::exclusive_scan>) { cost.kept = messages / 2; }
    return time_of_segments(generator.segments, cost, costs.whole(), now);
}

/// Whole vectors over distances 1, 2, 4, ...: a rank combines each of them twice, except the first.
template <scan_collective Scan>
    requires(!std::same_as<Scan, collective::scan_reduce>)
[[nodiscard]] double time_of(Scan, direct const&, message_costs const& costs, call_parameters const& now) {
    auto const bytes = static_cast<double>(now.bytes);
    double result = 0, rounds = 0;
    for (std::size_t distance = 1; distance < now.size; distance *= 2, ++rounds) {
        result += costs.whole().exchange(bytes, now.contention_of_changing_partners(distance));
    }
    return result + std::max(rounds - (std::same_as<Scan, collective::inclusive_scan> ? 1 : 2), 0.0) *
                        costs.combine(bytes);
}

template <class Broadcast>
[[nodiscard]] double time_of(collective::scan_reduce, scan_and_broadcast<Broadcast> const& both,
                             message_costs const& costs, call_parameters const& now) {
    return time_of(collective::inclusive_scan{}, direct{}, costs, now) +
           time_of(collective::broadcast{}, both.broadcast, message_costs::transfer_only(now), now);
}

/// Every rank sends its parts to all others, one after the other; they store them, and send prefixes back.
template <scan_collective Scan>
[[nodiscard]] double time_of(Scan, transposed_scan const&, message_costs const& costs, call_parameters const& now) {
    auto const part = static_cast<double>(now.bytes) / static_cast<double>(now.size);
    auto const links = now.mean_contention();
    auto const transfer_only = costs.without_combines();
    constexpr double messages = std::same_as<Scan, collective::scan_reduce> ? 3 : 2;
    return 2 * transfer_only.one_way(part, links) +
           (messages * static_cast<double>(now.size - 1) - 2) * transfer_only.stage(part, 1, links) +
           costs.combine(log2_of(now.size) / 2 * static_cast<double>(now.bytes));
}

}  // namespace tutti
