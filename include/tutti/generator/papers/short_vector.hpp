// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

#include <tutti/generator/binomial.hpp>
#include <tutti/generator/named.hpp>
#include <tutti/problem.hpp>

namespace tutti::generators {

/// Whole vectors are reduced up a tree to rank 0, which scatters the result down the same tree.
///
/// A range of ranks is halved; the first rank of the second half sends its vector to the first rank of the range when
/// both halves are reduced. Ranges are contiguous, so operands stay in order.
/// Each part is combined in one place. Reversed, it is an all_gather.
/// Fast where start-ups are all that counts, and p is not made of small factors.
/// Cost: for equal parts 2⌈log2 p⌉ α + (⌈log2 p⌉ + (p-1)/p) m β + ⌈log2 p⌉ m γ. To generate: O(log p).
/// Source: [poster]. Counts of reduce_scatter: 2 L | at most 3/2 m | L m.
struct short_vector {
    friend bool operator==(short_vector const&, short_vector const&) = default;
};

constexpr facts describe(collective::reduce_scatter, std::type_identity<short_vector>) {
    return {.name = "short_vector"};
}

[[nodiscard]] inline lazy_schedule generate(collective::reduce_scatter, short_vector const&, problem const& at) {
    auto const levels = split_levels(at.size);
    auto const splits = splits_of(at.rank, at.size);
    block_list const whole{block_range{0, at.blocks.blocks()}};
    std::vector<step> steps;
    for (auto i = splits.size(); i-- != 0;) {
        auto const& split = splits[i];
        auto const round = levels - 1 - split.level;
        steps.push_back(at.rank == split.first
                            ? step::receive_combine(round, split.middle, buffer::result(), whole, side::right)
                            : step::send(round, split.first, buffer::result(), whole));
    }
    for (step each : generate(collective::scatter{}, binomial{}, problem{at.rank, at.size, 0, at.blocks})) {
        each.round += levels;
        steps.push_back(std::move(each));
    }
    return without_empty_blocks(at.blocks, stored_schedule(2 * levels, std::move(steps)));
}

}  // namespace tutti::generators

namespace tutti {
using generators::short_vector;
}  // namespace tutti
