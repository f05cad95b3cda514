// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include <tutti/dynamic_array.hpp>
#include <tutti/generator.hpp>
#include <tutti/generator/occupied.hpp>
#include <tutti/generator/part_levels.hpp>
#include <tutti/generator/receive_in_order.hpp>

namespace tutti {

/// Groups of neighbours become one with up to `ways` - 1 others at a time, whose whole vectors their ranks get all at
/// once: for short vectors, of which a message costs little overhead and much latency.
///
/// All ranks are cut into at most `ways` nearly equal parts, these again, and so on; from single ranks up, every rank
/// hears from one rank of each other part of its group what that part combines to. Ranks send all messages of a level
/// before they wait for any. No rank stands for another one: all take part, whatever their number.
/// Requires 2 <= ways <= send_window, else std::invalid_argument when schedules are generated.
/// Result: on every rank x_0 ⊕ ... ⊕ x_{p-1}, any size, operands in order, the same tree on every rank: the parts of a
/// group are combined from left to right.
/// Rounds: ⌈log_ways p⌉, cut into f_1, f_2, ... parts; a rank gets at most Σ (f_i - 1) messages and combines as often,
/// and sends in each round at most one message more than that.
/// Cost: ⌈log_ways p⌉ α and Σ (f_i - 1) (o + (β+γ)m), if a message occupies ranks for o and takes α to come.
/// Cost to generate: O(ways log² p).
/// Source: Ruefenacht, Bull and Booth, Generalisation of recursive doubling for AllReduce; parts that are not equal are
/// new.
struct recursive_multiplying {
    std::size_t ways = 4;
    friend bool operator==(recursive_multiplying const&, recursive_multiplying const&) = default;
};

constexpr facts describe(collective::all_reduce, std::type_identity<recursive_multiplying>) {
    return {.name = "recursive_multiplying", .one_ported = false};
}

/// The levels of one rank.
[[nodiscard]] inline dynamic_array<part_level> levels_of(recursive_multiplying const& generator, problem const& at) {
    if (generator.ways < 2 || generator.ways > send_window) {
        throw std::invalid_argument{"tutti: recursive_multiplying makes one group of 2 to " +
                                    std::to_string(send_window) + ", not of " + std::to_string(generator.ways) +
                                    "; choose ways in between"};
    }
    return part_levels(at.rank, at.size, generator.ways);
}

/// Sends what the rank's part has to those in later parts who hear of it from the rank, the next part first, and, if
/// told so, then to those in earlier ones: so each of them gets one message at a time.
inline void send_to_listeners(dynamic_array<step>& steps, std::size_t round, part_level const& level, bool to_earlier,
                              buffer held, block_list const& blocks) {
    auto peers = level.listeners(level.part, level.parts());
    if (to_earlier) {
        auto const earlier = level.listeners(0, level.part);
        peers.append(earlier.begin(), earlier.end());
    }
    for (auto const peer : peers) { steps.push_back(step::send(round, peer, held, blocks)); }
}

[[nodiscard, gnu::cold]] inline lazy_schedule generate(collective::all_reduce, recursive_multiplying const& generator,
                                                       problem const& at) {
    block_list const whole{block_range{0, at.blocks.blocks()}};
    auto const result = buffer::result();
    auto const before = buffer::scratch(0);
    auto const levels = levels_of(generator, at);
    dynamic_array<step> steps;
    for (std::size_t round = 0; round < levels.size(); ++round) {
        auto const& level = levels[round];
        send_to_listeners(steps, round, level, true, result, whole);
        auto const lower = level.sources(0, level.part);
        if (lower.size() == 1) {
            steps.push_back(step::receive_combine(round, lower.front(), result, whole, side::left));
        } else if (!lower.empty()) {
            receive_in_order(steps, round, lower, before, whole);
            steps.push_back(step::combine(round, before, result, whole, side::left));
        }
        append_in_order(steps, round, level.sources(level.part, level.parts()), result, whole);
    }
    return occupied(at.blocks, stored_schedule(levels.size(), std::move(steps)));
}

}  // namespace tutti
