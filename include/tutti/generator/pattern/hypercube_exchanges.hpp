// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>

#include <tutti/dynamic_array.hpp>
#include <tutti/generator/pattern/hypercube.hpp>
#include <tutti/schedule.hpp>

namespace tutti {

/// What a rank keeps for itself, and gives another one, of what the leaves of both have in common.
struct leaf_exchange {
    using relocates_as_bytes = void;

    std::size_t peer;
    block_list kept;
    block_list given;
    friend bool operator==(leaf_exchange const&, leaf_exchange const&) = default;
};

/// A level of a hypercube, in which leaves meet those that differ from them in one bit, as one rank sees it.
struct hypercube_level {
    using relocates_as_bytes = void;

    bool upper;                            ///< whether that bit of its leaves is 1: the partners have lower ranks
    dynamic_array<leaf_exchange> exchanges;  ///< one for each rank it meets: two at most; none with itself
};

/// All levels of a rank, lowest bit first. `shares.kept(range, k)` are the blocks that a range of leaves has after k
/// levels. Cost: that of 4 lists for each level.
template <class Shares>
[[nodiscard, gnu::cold]] dynamic_array<hypercube_level> levels_of(std::size_t rank, hypercube const& all,
                                                             Shares const& shares) {
    auto const own = all.of(rank);
    dynamic_array<hypercube_level> result;
    for (std::size_t k = 0; k < all.levels(); ++k) {
        auto const bit = std::size_t{1} << k;
        hypercube_level level{(own.first & bit) != 0, {}};
        for (auto leaf = own.first; leaf < own.last;) {
            auto const peer = all.rank_of(leaf ^ bit);
            auto next = leaf + 1;
            while (next < own.last && all.rank_of(next ^ bit) == peer) { ++next; }
            if (peer != rank) {
                level.exchanges.push_back({peer, shares.kept({leaf, next}, k + 1),
                                           shares.kept({leaf ^ bit, (leaf ^ bit) + next - leaf}, k + 1)});
            }
            leaf = next;
        }
        result.push_back(std::move(level));
    }
    return result;
}

/// Every level is a round, in which partners send what they give and combine what they keep, all in `result`. Steps
/// may have no blocks.
[[nodiscard]] inline dynamic_array<step> split_stage(dynamic_array<hypercube_level> const& levels) {
    auto const result = buffer::result();
    dynamic_array<step> steps;
    for (std::size_t k = 0; k < levels.size(); ++k) {
        auto const operand = levels[k].upper ? side::left : side::right;
        for (auto const& each : levels[k].exchanges) { steps.push_back(step::send(k, each.peer, result, each.given)); }
        for (auto const& each : levels[k].exchanges) {
            steps.push_back(step::receive_combine(k, each.peer, result, each.kept, operand));
        }
    }
    return steps;
}

}  // namespace tutti
