// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

#include <tutti/cost/price.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/generator/named.hpp>
#include <tutti/generator/pattern/hypercube.hpp>
#include <tutti/generator/pattern/running_prefix.hpp>
#include <tutti/problem.hpp>

namespace tutti::generators {

/// Ranks exchange the values of their groups over distances 1, 2, 4, ..., and put the values of lower groups in front
/// of their prefixes.
///
/// In round s rank r meets r xor 2^s; a partner beyond the last rank is skipped, since a rank that needs a group's
/// value lies above a group that is complete. After round s the value is needed exactly if r + 2^(s+1) is a rank, so r
/// sends in round s if r + 2^s < p, and waits for no value that it does not need. For scan_reduce all ranks need all:
/// the first p - P pairs of neighbours, P = 2^⌊log2 p⌋, fold into one group each, for which the even rank acts.
/// Scans: ⌈log2 p⌉ rounds; rank r sends ⌈log2(p-r)⌉ messages. Exclusive, it combines max(⌈log2(p-r)⌉-1, 0) times for
/// others and popcount(r)-1 times for itself; inclusive, popcount(r) times for itself, shared in the first rounds.
/// The total has one tree on all ranks. To generate: O(log p).
/// Source: [bae98]: the direct algorithm. Counts of scans: L | at most L m | at most (2 L - 1) m.
/// Counts of scan_reduce: log2 P, two more unless p = P | as many m | at most 2 m log2 P.
struct direct {
    friend bool operator==(direct const&, direct const&) = default;
};

/// Prefix and total go down to the second rank of a pair side by side: two buffers, hence two messages in one round.
template <collective::scan_collective Scan>
constexpr facts describe(Scan, std::type_identity<direct>) {
    return {.name = "direct", .one_ported = !std::same_as<Scan, collective::scan_reduce>, .keeps_round_order = true};
}

/// What a rank does in one round of a direct scan on any number of ranks.
struct direct_round {
    std::size_t peer;
    bool is_above;  ///< the peer is a lower rank, and always sends
    bool sends;     ///< the value of its group before the round, if the peer needs it
    bool updates;   ///< it needs the value of the group that both form

    constexpr direct_round(std::size_t rank, std::size_t size, std::size_t round)
        : peer{rank ^ (std::size_t{1} << round)},
          is_above{peer < rank},
          sends{rank + (std::size_t{1} << round) < size},
          updates{rank + (std::size_t{2} << round) < size} {}
};

[[nodiscard]] inline lazy_schedule generate(collective::exclusive_scan, direct const&, problem const& at) {
    block_list const whole{block_range{0, at.blocks.blocks()}};
    auto const group = buffer::result();
    auto const rounds = schedules::bit_width(at.size - 1);
    running_prefix prefix{whole};
    dynamic_array<step> steps;
    for (std::size_t round = 0; round < rounds; ++round) {
        direct_round const now{at.rank, at.size, round};
        if (now.sends) { steps.push_back(step::send(round, now.peer, group, whole)); }
        if (now.is_above) {
            prefix.receive(steps, round, now.peer, now.updates);
        } else if (now.updates) {
            steps.push_back(step::receive_combine(round, now.peer, group, whole, side::right));
        }
    }
    return without_empty_blocks(at.blocks, stored_schedule(rounds, std::move(steps)));
}

[[nodiscard]] inline lazy_schedule generate(collective::inclusive_scan, direct const&, problem const& at) {
    block_list const whole{block_range{0, at.blocks.blocks()}};
    auto const result = buffer::result();
    auto const apart = buffer::scratch(0);
    auto const incoming = buffer::scratch(1);
    auto const rounds = schedules::bit_width(at.size - 1);
    auto group = result;  // one and the same while the rank is the last of its group
    dynamic_array<step> steps;
    for (std::size_t round = 0; round < rounds; ++round) {
        direct_round const now{at.rank, at.size, round};
        if (now.sends) { steps.push_back(step::send(round, now.peer, group, whole)); }
        if (now.is_above) {
            if (now.updates && group != result) {
                steps.push_back(step::receive(round, now.peer, incoming, whole));
                steps.push_back(step::combine(round, incoming, result, whole, side::left));
                steps.push_back(step::combine(round, incoming, group, whole, side::left));
            } else {
                steps.push_back(step::receive_combine(round, now.peer, result, whole, side::left));
            }
        } else if (now.updates) {
            if (group == result) {
                group = apart;
                steps.push_back(step::receive(round, now.peer, group, whole));
                steps.push_back(step::combine(round, result, group, whole, side::left));
            } else {
                steps.push_back(step::receive_combine(round, now.peer, group, whole, side::right));
            }
        }
    }
    return without_empty_blocks(at.blocks, stored_schedule(rounds, std::move(steps)));
}

[[nodiscard]] inline lazy_schedule generate(collective::scan_reduce, direct const&, problem const& at) {
    block_list const whole{block_range{0, at.blocks.blocks()}};
    auto const total = buffer::result();
    auto const seconds_prefix = buffer::scratch(1);
    power_of_two_fold const fold{at.size};
    auto const group = fold.group_of(at.rank);
    bool const paired = fold.is_paired(at.rank);
    std::size_t const folds = fold.pairs != 0 ? 1 : 0;
    auto const rounds = fold.levels() + 2 * folds;
    auto const last = rounds - 1;

    dynamic_array<step> steps;
    if (paired && at.rank % 2 == 1) {
        auto const first = at.rank - 1;
        steps = {step::send(0, first, total, whole), step::receive(last, first, buffer::prefix(), whole),
                 step::receive(last, first, total, whole)};
        return without_empty_blocks(at.blocks, stored_schedule(rounds, std::move(steps)));
    }
    if (paired) {
        steps.push_back(step::copy(0, total, seconds_prefix, whole));
        steps.push_back(step::receive_combine(0, at.rank + 1, total, whole, side::right));
    }
    running_prefix prefix{whole};
    for (std::size_t level = 0; level < fold.levels(); ++level) {
        auto const round = folds + level;
        auto const peer = fold.representative(group ^ (std::size_t{1} << level), 0);
        steps.push_back(step::send(round, peer, total, whole));
        if (peer < at.rank) {
            prefix.receive(steps, round, peer, true);
        } else {
            steps.push_back(step::receive_combine(round, peer, total, whole, side::right));
        }
    }
    if (paired) {
        if (prefix.holds_anything()) {
            steps.push_back(step::combine(last, buffer::prefix(), seconds_prefix, whole, side::left));
        }
        steps.push_back(step::send(last, at.rank + 1, seconds_prefix, whole));
        steps.push_back(step::send(last, at.rank + 1, total, whole));
    }
    return without_empty_blocks(at.blocks, stored_schedule(rounds, std::move(steps)));
}

/// Whole vectors over distances 1, 2, 4, ...: a rank combines each of them twice, except the first.
template <collective::scan_collective Scan>
    requires(!std::same_as<Scan, collective::scan_reduce>)
[[nodiscard]] double time_of(Scan, direct const&, pricing::message_costs const& costs, call_parameters const& now) {
    auto const bytes = static_cast<double>(now.bytes);
    double result = 0, rounds = 0;
    for (std::size_t distance = 1; distance < now.size; distance *= 2, ++rounds) {
        result += costs.whole().exchange(bytes, now.contention_of_changing_partners(distance));
    }
    return result +
           std::max(rounds - (std::same_as<Scan, collective::inclusive_scan> ? 1 : 2), 0.0) * costs.combine(bytes);
}

}  // namespace tutti::generators

namespace tutti {
using generators::direct;
}  // namespace tutti
