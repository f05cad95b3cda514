// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include <tutti/generator.hpp>
#include <tutti/generator/leaf_exchanges.hpp>
#include <tutti/generator/leaf_intervals.hpp>
#include <tutti/generator/occupied.hpp>
#include <tutti/generator/reduce/butterfly.hpp>

namespace tutti {

/// Ranks halve the vector over distances 1, 2, 4, ... until each has reduced its part, and parts double on their way
/// back.
///
/// With P = 2^⌊log2 p⌋ the first p - P pairs of neighbours fold into one group each, for which the even rank acts; in
/// the end it passes the result on.
/// Result: on every rank x_0 ⊕ ... ⊕ x_{p-1}, any size, operands in order, the same tree on every rank.
/// Cost: 2 log2 P rounds, for even blocks 2 log2 P α + (P-1)/P m (2β + γ); if p > P, two rounds and
/// 2 (α + mβ) + mγ more. Source: Rabenseifner.
constexpr facts describe(collective::all_reduce, std::type_identity<butterfly>) {
    return {.name = "butterfly", .in_step = true};
}

/// An all_reduce in which leaves exchange what `shares` says, and in the halving levels give it back, highest first.
[[nodiscard]] inline auto exchange_and_return(leaf_intervals const& shares, problem const& at) {
    auto const levels = levels_of(at.rank, leaves{at.size}, shares);
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
    return occupied(at.blocks, stored_schedule(rounds, std::move(steps)));
}

[[nodiscard, gnu::cold]] inline lazy_schedule generate(collective::all_reduce, butterfly const&, problem const& at) {
    leaves const all{at.size};
    return exchange_and_return({at.blocks.blocks(), all.levels(), !all.even()}, at);
}

}  // namespace tutti
