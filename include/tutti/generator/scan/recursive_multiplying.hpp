// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include <tutti/dynamic_array.hpp>
#include <tutti/generator.hpp>
#include <tutti/generator/all_reduce/recursive_multiplying.hpp>
#include <tutti/generator/occupied.hpp>
#include <tutti/generator/part_levels.hpp>
#include <tutti/generator/receive_in_order.hpp>
#include <tutti/generator/scan/running_prefix.hpp>

namespace tutti {

/// Ranks put what lower parts of their group have in front of their prefix.
///
/// What a group combines to is of use to higher ranks only, so without a total the parts of a group that ends with the
/// last rank send it to higher parts alone.
/// Result: prefixes, and for scan_reduce the total, any size, operands in order; the total has one tree on all ranks.
/// Rounds: ⌈log_ways p⌉, cut into f_1, f_2, ... parts; a rank gets at most Σ (f_i - 1) messages, sends in each round
/// at most one more, and combines at most Σ f_i - 1 times. To generate: O(ways log² p).
/// Source: Ruefenacht, Bull and Booth, Generalisation of recursive doubling for AllReduce; Bae, Kim and Ranka, Vector
/// Prefix and Reduction Computation, for two ways and powers of two.
constexpr facts describe(collective::exclusive_scan, std::type_identity<recursive_multiplying>) {
    return {.name = "recursive_multiplying", .one_ported = false, .in_step = true};
}
constexpr facts describe(collective::inclusive_scan, std::type_identity<recursive_multiplying>) {
    return {.name = "recursive_multiplying", .one_ported = false, .in_step = true};
}
constexpr facts describe(collective::scan_reduce, std::type_identity<recursive_multiplying>) {
    return {.name = "recursive_multiplying", .one_ported = false, .in_step = true};
}

/// Prefixes, and the total on every rank or only what higher ranks need of it.
[[nodiscard]] inline auto prefix_and_total(recursive_multiplying const& generator, problem const& at, bool total) {
    block_list const whole{block_range{0, at.blocks.blocks()}};
    auto const group = buffer::result();
    auto const levels = levels_of(generator, at);
    running_prefix prefix{whole};
    dynamic_array<step> steps;
    for (std::size_t round = 0; round < levels.size(); ++round) {
        auto const& level = levels[round];
        bool const updates = total || level.end() < at.size;
        send_to_listeners(steps, round, level, updates, group, whole);
        prefix.receive(steps, round, level.sources(0, level.part), updates);
        if (updates) { append_in_order(steps, round, level.sources(level.part, level.parts()), group, whole); }
    }
    return occupied(at.blocks, stored_schedule(levels.size(), std::move(steps)));
}

[[nodiscard]] inline lazy_schedule generate(collective::exclusive_scan, recursive_multiplying const& generator,
                                   problem const& at) {
    return prefix_and_total(generator, at, false);
}

[[nodiscard]] inline lazy_schedule generate(collective::scan_reduce, recursive_multiplying const& generator,
                                   problem const& at) {
    return prefix_and_total(generator, at, true);
}

[[nodiscard]] inline lazy_schedule generate(collective::inclusive_scan, recursive_multiplying const& generator,
                                   problem const& at) {
    block_list const whole{block_range{0, at.blocks.blocks()}};
    auto const result = buffer::result();
    auto const apart = buffer::scratch(0);
    auto const before = buffer::scratch(1);
    auto const levels = levels_of(generator, at);
    auto group = result;  // one and the same while the rank is the last of its group
    dynamic_array<step> steps;
    for (std::size_t round = 0; round < levels.size(); ++round) {
        auto const& level = levels[round];
        bool const updates = level.end() < at.size;
        bool const twice = updates && group != result;
        send_to_listeners(steps, round, level, updates, group, whole);
        auto const lower = level.sources(0, level.part);
        if (lower.size() == 1 && !twice) {
            steps.push_back(step::receive_combine(round, lower.front(), result, whole, side::left));
        } else if (!lower.empty()) {
            receive_in_order(steps, round, lower, before, whole);
            steps.push_back(step::combine(round, before, result, whole, side::left));
            if (twice) { steps.push_back(step::combine(round, before, group, whole, side::left)); }
        }
        if (!updates || level.part + 1 == level.parts()) { continue; }
        dynamic_array<std::size_t> higher = level.sources(level.part, level.parts());
        if (group == result) {
            group = apart;
            steps.push_back(step::receive(round, higher.front(), group, whole));
            steps.push_back(step::combine(round, result, group, whole, side::left));
            higher.erase(higher.begin());
        }
        append_in_order(steps, round, higher, group, whole);
    }
    return occupied(at.blocks, stored_schedule(levels.size(), std::move(steps)));
}

}  // namespace tutti
