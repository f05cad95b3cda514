// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include <tutti/generator.hpp>
#include <tutti/generator/leaf_exchanges.hpp>
#include <tutti/generator/occupied.hpp>
#include <tutti/generator/scan/split.hpp>
#include <tutti/ownership.hpp>

namespace tutti {

/// What leaves share out if every rank is to end with its own blocks: after k levels a leaf has those of all leaves
/// that agree with it in the lowest k bits.
struct leaf_parts {
    leaves all;
    std::size_t size;
    std::size_t blocks;

    /// Cost: O(p / 2^levels).
    [[nodiscard]] block_list kept(leaf_range which, std::size_t levels) const {
        auto const stride = std::size_t{1} << levels;
        block_list result;
        block_range last{};  // grows while ranges continue one another
        for (auto first = which.first % stride; first < all.count(); first += stride) {
            for (auto leaf = first; leaf < first + which.last - which.first; ++leaf) {
                auto const rank = all.rank_of(leaf);
                if (all.home_of(rank) != leaf) { continue; }
                auto const part = ownership::blocks_of(rank, size, blocks);
                if (part.first != last.last) { result.append(std::exchange(last, part)); }
                last.last = part.last;
            }
        }
        result.append(last);
        return result;
    }
};

/// Groups of 1, 2, 4, ... ranks become one with their neighbours and share out what belongs to all: each rank keeps
/// every second rank's part, then every fourth's, and at last its own.
///
/// If p is no power of two, with P = 2^⌊log2 p⌋ < p, the first p - P pairs share the vector, and the other ranks do the
/// work of two, with up to two messages a round. Every level halves, whatever the parameters.
/// Result: on each rank its part of x_0 ⊕ ... ⊕ x_{p-1}, any size, operands in order. Reversed, it is an all_gather.
/// Rounds: ⌈log2 p⌉. A rank sends every part but its own once; for p = P it receives and combines as many, otherwise at
/// most 1.5 times as many.
/// Cost for p = P and equal parts: log2 p α + (p-1)/p m (β + γ), the least. To generate: O(p).
/// Source: Bae, Kim, Ranka, Vector Prefix and Reduction Computation: the split stage.
constexpr facts describe(collective::reduce_scatter, std::type_identity<split>) {
    return {.name = "split", .one_ported = false, .in_step = true};
}

/// One block per rank.
[[nodiscard]] constexpr std::size_t blocks_for(collective::reduce_scatter, split const&, std::size_t size,
                                               std::size_t /*bytes*/) {
    return size;
}

[[nodiscard, gnu::cold]] inline lazy_schedule generate(collective::reduce_scatter, split const&, problem const& at) {
    leaves const all{at.size};
    auto const levels = levels_of(at.rank, all, leaf_parts{all, at.size, at.blocks.blocks()});
    return occupied(at.blocks, stored_schedule(levels.size(), split_stage(levels)));
}

}  // namespace tutti
