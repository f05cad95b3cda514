// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <bit>
#include <cstddef>
#include <type_traits>
#include <utility>

#include <tutti/cost/price.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/generator/named.hpp>
#include <tutti/generator/pattern/hypercube.hpp>
#include <tutti/problem.hpp>

namespace tutti::generators {

/// Ranks halve the vector over distances 1, 2, 4, ... until each has reduced its part, and parts double on their way
/// back to the root.
///
/// With P = 2^⌊log2 p⌋ the first p - P pairs of neighbours fold into one group each, for which the root, if it is in
/// it, or the even rank acts. After k rounds of halving a rank has the part of 2^k neighbouring groups. In the
/// gather only the partner away from the root sends. A half is half of the blocks: with one block this is a
/// binomial tree.
/// Cost: 2 log2 P rounds, for even blocks 2 log2 P α + (P-1)/P m (2β + γ); if p > P, one round and α + m(β + γ) more.
/// Source: [rabenseifner04]; [lowery13], table III.
/// Counts of reduce, P blocks: 2 log2 P, one more unless p = P | at most 3 m/2 | m (P - 1)/P, m more unless p = P.
struct butterfly {
    friend bool operator==(butterfly const&, butterfly const&) = default;
};

constexpr facts describe(collective::reduce, std::type_identity<butterfly>) {
    return {.name = "butterfly", .keeps_round_order = true};
}

/// One block per group.
[[nodiscard]] constexpr std::size_t blocks_for(butterfly const&, std::size_t size, std::size_t /*bytes*/) {
    return std::bit_floor(size);
}

[[nodiscard, gnu::cold]] inline lazy_schedule generate(collective::reduce, butterfly const&, problem const& at) {
    power_of_two_fold const fold{at.size};
    auto const levels = fold.levels();
    std::size_t const folds = fold.pairs != 0 ? 1 : 0;
    auto const rounds = folds + 2 * levels;
    auto const group = fold.group_of(at.rank);
    auto const result = buffer::result();
    auto const operand = [&](std::size_t peer) { return peer < at.rank ? side::left : side::right; };

    dynamic_array<step> steps;
    if (fold.is_paired(at.rank)) {
        block_list const whole{block_range{0, at.blocks.blocks()}};
        auto const peer = at.rank ^ 1;
        if (at.rank != fold.representative(group, at.root)) {
            steps.push_back(step::send(0, peer, result, whole));
            return without_empty_blocks(at.blocks, stored_schedule(rounds, std::move(steps)));
        }
        steps.push_back(step::receive_combine(0, peer, result, whole, operand(peer)));
    }

    // counted from the root's group, so that the root's part is first
    halving const part{group ^ fold.group_of(at.root), at.blocks.blocks()};
    auto const partner = [&](std::size_t level) {
        return fold.representative(halving::partner(group, level), at.root);
    };
    for (std::size_t level = 0; level < levels; ++level) {
        auto const peer = partner(level);
        steps.push_back(step::send(folds + level, peer, result, part.given(level)));
        steps.push_back(step::receive_combine(folds + level, peer, result, part.kept(level + 1), operand(peer)));
    }
    for (std::size_t level = levels; level-- > 0;) {
        auto const round = rounds - 1 - level;
        if (part.group >> level != 0) {
            steps.push_back(step::send(round, partner(level), result, part.kept(level + 1)));
            break;
        }
        steps.push_back(step::receive(round, partner(level), result, part.given(level)));
    }
    return without_empty_blocks(at.blocks, stored_schedule(rounds, std::move(steps)));
}

/// Ranks halve the vector over distances 1, 2, 4, ... until each has reduced its part, and parts double on their way
/// back.
///
/// With P = 2^⌊log2 p⌋ the first p - P pairs of neighbours fold into one group each, for which the even rank acts; in
/// the end it passes the result on.
/// Cost for even blocks: 2 log2 P α + (P-1)/P m (2β + γ); if p > P, 2 (α + mβ) + mγ more. Source: [rabenseifner04].
/// Counts of all_reduce, P blocks: 2 log2 P, two more unless p = P | 2 m (P - 1)/P, m more unless p = P | m (P - 1)/P,
/// m more unless p = P.
constexpr facts describe(collective::all_reduce, std::type_identity<butterfly>) {
    return {.name = "butterfly", .keeps_round_order = true};
}

/// An all_reduce in which leaves exchange the blocks in `shares`, and return them in the halving levels, highest
/// first.
[[nodiscard]] inline auto exchange_and_return(hypercube_intervals const& shares, problem const& at) {
    auto const levels = levels_of(at.rank, hypercube{at.size}, shares);
    auto const rounds = levels.size() + shares.halvings;
    auto steps = split_stage(levels);
    for (auto k = shares.halvings; k-- > 0;) {
        auto const round = rounds - 1 - k;
        for (auto const& each : levels[k].exchanges) {
            steps.push_back(step::send(round, each.peer, buffer::result(), each.kept));
        }
        for (auto const& each : levels[k].exchanges) {
            steps.push_back(step::receive(round, each.peer, buffer::result(), each.given));
        }
    }
    return without_empty_blocks(at.blocks, stored_schedule(rounds, std::move(steps)));
}

[[nodiscard, gnu::cold]] inline lazy_schedule generate(collective::all_reduce, butterfly const&, problem const& at) {
    hypercube const all{at.size};
    return exchange_and_return({at.blocks.blocks(), all.levels(), !all.is_power_of_two()}, at);
}

/// The longest halves are exchanged, and returned, between neighbours. Pairs that fold send the whole vector once more.
[[nodiscard, gnu::cold]] inline double time_of(collective::reduce, butterfly const&,
                                               pricing::message_costs const& costs, call_parameters const& now) {
    auto const groups = std::bit_floor(now.size);
    auto bytes = static_cast<double>(now.bytes);
    double result = groups == now.size ? 0 : costs.one_way(bytes, now.contention_at(1));
    for (std::size_t distance = 1; distance < groups; distance *= 2) {
        auto const factors = now.contention_of_changing_partners(distance * now.size / groups);
        bytes /= 2;
        result += costs.exchange(bytes, factors) + costs.without_combines().one_way(bytes, factors);
    }
    return result;
}

}  // namespace tutti::generators

namespace tutti {
using generators::butterfly;
}  // namespace tutti
