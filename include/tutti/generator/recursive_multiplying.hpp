// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include <tutti/cost/price.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/generator/named.hpp>
#include <tutti/generator/pattern/radix_levels.hpp>
#include <tutti/generator/pattern/running_prefix.hpp>
#include <tutti/problem.hpp>

namespace tutti::generators {

/// Groups of neighbours become one with up to `radix` - 1 others at a time: their ranks receive the whole vectors of
/// the other groups all at once. For short vectors, whose messages cost little overhead and much latency.
///
/// All ranks are cut into at most `radix` nearly equal subgroups, these again, and so on; from single ranks up, every
/// rank receives the product of each other subgroup of its group from one rank of that subgroup. Ranks send all
/// messages of a level before they wait for any. No rank acts for another one: all take part, whatever their number.
/// Requires 2 <= radix <= send_window, else std::invalid_argument when schedules are generated.
/// The subgroups of a group are combined from left to right, on every rank alike.
/// With f_1, f_2, ... subgroups a rank gets at most Σ (f_i - 1) messages and combines as often, and sends in each round
/// at most one message more than that.
/// Cost: ⌈log_radix p⌉ α and Σ (f_i - 1) (o + (β+γ)m), if a message occupies ranks for o and takes α to arrive.
/// To generate: O(radix log² p). Source: [ruefenacht17]; subgroups that are not equal are new.
/// Counts of all_reduce, radix k: ⌈log_k p⌉, of up to k messages | at most k m a round | at most (k - 1) m a round.
struct recursive_multiplying {
    std::size_t radix = 4;
    friend bool operator==(recursive_multiplying const&, recursive_multiplying const&) = default;
};

constexpr facts describe(collective::all_reduce, std::type_identity<recursive_multiplying>) {
    return {.name = "recursive_multiplying", .one_ported = false};
}

/// The levels of one rank.
[[nodiscard]] inline dynamic_array<radix_level> levels_of(recursive_multiplying const& generator, problem const& at) {
    if (generator.radix < 2 || generator.radix > schedules::send_window) {
        throw std::invalid_argument{"tutti: recursive_multiplying makes one group of 2 to " +
                                    std::to_string(schedules::send_window) + ", not of " +
                                    std::to_string(generator.radix) + "; choose a radix in between"};
    }
    return radix_levels(at.rank, at.size, generator.radix);
}

/// Sends the product of the rank's subgroup to its receivers in later subgroups, the next subgroup first, and then, if
/// asked for, to those in earlier subgroups: so each of them gets one message at a time.
inline void send_to_listeners(dynamic_array<step>& steps, std::size_t round, radix_level const& level, bool to_earlier,
                              buffer held, block_list const& blocks) {
    auto peers = level.receivers(level.subgroup, level.subgroups());
    if (to_earlier) {
        auto const earlier = level.receivers(0, level.subgroup);
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
        auto const lower = level.senders(0, level.subgroup);
        if (lower.size() == 1) {
            steps.push_back(step::receive_combine(round, lower.front(), result, whole, side::left));
        } else if (!lower.empty()) {
            receive_in_order(steps, round, lower, before, whole);
            steps.push_back(step::combine(round, before, result, whole, side::left));
        }
        append_in_order(steps, round, level.senders(level.subgroup, level.subgroups()), result, whole);
    }
    return without_empty_blocks(at.blocks, stored_schedule(levels.size(), std::move(steps)));
}

/// Ranks put the products of lower subgroups of their group in front of their prefix.
///
/// Only higher ranks need the product of a group, so without a total the subgroups of a group that ends with the last
/// rank send theirs to higher subgroups alone.
/// Rounds: ⌈log_radix p⌉, cut into f_1, f_2, ... subgroups; a rank gets at most Σ (f_i - 1) messages, sends in each
/// round at most one more, and combines at most Σ f_i - 1 times. To generate: O(radix log² p).
/// Source: [ruefenacht17]; [bae98], for radix two and powers of two.
/// Counts of scans, radix k: ⌈log_k p⌉, of up to k messages | at most k m a round | at most k m a round.
/// Counts of scan_reduce, radix k: ⌈log_k p⌉, of up to k messages | at most k m a round | at most k m a round.
template <collective::scan_collective Scan>
constexpr facts describe(Scan, std::type_identity<recursive_multiplying>) {
    return {.name = "recursive_multiplying", .one_ported = false, .keeps_round_order = true};
}

/// Prefixes, and either the total on every rank or only the products that higher ranks need.
template <collective::scan_collective Scan>
[[nodiscard]] lazy_schedule generate(Scan, recursive_multiplying const& generator, problem const& at) {
    constexpr bool total = std::same_as<Scan, collective::scan_reduce>;
    block_list const whole{block_range{0, at.blocks.blocks()}};
    auto const group = buffer::result();
    auto const levels = levels_of(generator, at);
    running_prefix prefix{whole};
    dynamic_array<step> steps;
    for (std::size_t round = 0; round < levels.size(); ++round) {
        auto const& level = levels[round];
        bool const updates = total || level.end() < at.size;
        send_to_listeners(steps, round, level, updates, group, whole);
        prefix.receive(steps, round, level.senders(0, level.subgroup), updates);
        if (updates) { append_in_order(steps, round, level.senders(level.subgroup, level.subgroups()), group, whole); }
    }
    return without_empty_blocks(at.blocks, stored_schedule(levels.size(), std::move(steps)));
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
        auto const lower = level.senders(0, level.subgroup);
        if (lower.size() == 1 && !twice) {
            steps.push_back(step::receive_combine(round, lower.front(), result, whole, side::left));
        } else if (!lower.empty()) {
            receive_in_order(steps, round, lower, before, whole);
            steps.push_back(step::combine(round, before, result, whole, side::left));
            if (twice) { steps.push_back(step::combine(round, before, group, whole, side::left)); }
        }
        if (!updates || level.subgroup + 1 == level.subgroups()) { continue; }
        dynamic_array<std::size_t> higher = level.senders(level.subgroup, level.subgroups());
        if (group == result) {
            group = apart;
            steps.push_back(step::receive(round, higher.front(), group, whole));
            steps.push_back(step::combine(round, result, group, whole, side::left));
            higher.erase(higher.begin());
        }
        append_in_order(steps, round, higher, group, whole);
    }
    return without_empty_blocks(at.blocks, stored_schedule(levels.size(), std::move(steps)));
}

/// Calls `visit(time, more)` for each round in which the subgroups of a group exchange whole vectors: the time of the
/// round, and how much longer it is if all ranks need the total: ranks of smaller subgroups then send to one rank more.
template <class Visit>
void for_each_round(recursive_multiplying const& generator, call_parameters const& now,
                    pricing::message_costs const& costs, Visit visit) {
    auto const bytes = static_cast<double>(now.bytes);
    std::size_t group = now.size;
    for (auto const subgroups : radix_factors(now.size, generator.radix)) {
        auto const distance = (group - 1) / subgroups + 1;
        bool const uneven = distance * subgroups != std::exchange(group, distance);
        if (subgroups == 1) { continue; }
        bool const crowded = subgroups > 2 && costs.transmission(bytes) > now.link().overhead;
        auto const factors = now.contention_of_changing_partners(distance, crowded ? now.fitted().several_ports : 1);
        visit(costs.round(subgroups - 1, bytes, factors), uneven ? costs.transmission(bytes, factors) : 0);
    }
}

/// A rank receives the whole vectors of all other subgroups of its group at once.
[[nodiscard, gnu::cold]] inline double time_of(collective::all_reduce, recursive_multiplying const& generator,
                                               pricing::message_costs const& costs, call_parameters const& now) {
    double result = 0;
    for_each_round(generator, now, costs, [&](double time, double more) { result += time + more; });
    return result;
}

/// A rank combines each message twice, with its prefix and with its group's product: except in the first round, when it
/// has no prefix, and, unless the total is wanted, in the last one, when no product is needed.
template <collective::scan_collective Scan>
[[nodiscard, gnu::cold]] double time_of(Scan, recursive_multiplying const& generator,
                                        pricing::message_costs const& costs, call_parameters const& now) {
    auto const bytes = static_cast<double>(now.bytes);
    double result = 0, rounds = 0;
    constexpr bool with_total = std::same_as<Scan, collective::scan_reduce>;
    generators::for_each_round(generator, now, costs.whole(), [&](double time, double more) {
        result += with_total ? time + more : time;
        ++rounds;
    });
    if (with_total) { return result + (rounds - 1) * costs.combine(bytes); }
    if (std::same_as<Scan, collective::inclusive_scan>) { rounds = std::max(rounds, 2.0); }
    return result + (rounds - 2) * costs.combine(bytes);
}

}  // namespace tutti::generators

namespace tutti {
using generators::recursive_multiplying;
}  // namespace tutti
