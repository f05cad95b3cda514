// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <type_traits>
#include <utility>

#include <tutti/dynamic_array.hpp>
#include <tutti/generator.hpp>
#include <tutti/generator/pattern/without_empty_blocks.hpp>

namespace tutti {

/// Recursive doubling on any number of ranks without folding: neighbouring groups of 2^k ranks exchange what they have,
/// and where the upper one has fewer ranks, each of these sends to several of the lower one.
///
/// Result: on every rank x_0 ⊕ ... ⊕ x_{p-1}, any size, by the canonical tree.
/// Rounds: ⌈log2 p⌉. A rank of an incomplete group of u ranks sends ⌈2^k / u⌉ messages in the round in which it meets
/// 2^k others, at most p / 2 in all; others send one each round.
/// Cost: ⌈log2 p⌉ (α + (β + γ) m) on powers of two, and what the further messages cost. To generate: O(log p), and the
/// number of messages.
struct unfolded_doubling {
    friend bool operator==(unfolded_doubling const&, unfolded_doubling const&) = default;
};

constexpr facts describe(collective::all_reduce, std::type_identity<unfolded_doubling>) {
    return {.name = "unfolded_doubling", .one_ported = false, .keeps_round_order = true};
}

[[nodiscard]] inline lazy_schedule generate(collective::all_reduce, unfolded_doubling const&, problem const& at) {
    block_list const whole{block_range{0, at.blocks.blocks()}};
    auto const result = buffer::result();
    dynamic_array<step> steps;
    std::size_t round = 0;
    for (std::size_t width = 1; width < at.size; width *= 2, ++round) {
        auto const first = at.rank / (2 * width) * (2 * width);
        auto const middle = first + width;
        if (middle >= at.size) { continue; }
        auto const upper = std::min(width, at.size - middle);
        if (at.rank < middle) {
            auto const place = at.rank - first;
            if (place < upper) { steps.push_back(step::send(round, middle + place, result, whole)); }
            steps.push_back(step::receive_combine(round, middle + place % upper, result, whole, side::right));
        } else {
            auto const place = at.rank - middle;
            for (auto to = place; to < width; to += upper) {
                steps.push_back(step::send(round, first + to, result, whole));
            }
            steps.push_back(step::receive_combine(round, first + place, result, whole, side::left));
        }
    }
    return without_empty_blocks(at.blocks, stored_schedule(round, std::move(steps)));
}

}  // namespace tutti
