// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

#include <tutti/problem.hpp>
#include <tutti/schedule.hpp>

namespace tutti::generators {

/// A heap-shaped tree over consecutive ranks, its top at one end of them.
struct heap_interval {
    std::size_t top;
    std::size_t size;
    side grows;                    ///< where the other ranks lie, seen from the top

    [[nodiscard]] constexpr std::size_t rank_at(std::size_t offset) const {
        return grows == side::right ? top + offset : top - offset;
    }
    [[nodiscard]] constexpr bool contains(std::size_t rank) const {
        return grows == side::right ? rank - top < size : top - rank < size;
    }

    /// The subtree that the top receives last: child 2v+1 of the heap. Empty only if the top is alone.
    [[nodiscard]] constexpr heap_interval second() const {
        if (size == 1) { return {rank_at(1), 0, grows}; }
        auto const lowest_level = std::bit_floor(size);
        auto const half = lowest_level / 2;
        auto const members = half - 1 + std::min(size + 1 - lowest_level, half);
        return {rank_at(size - members), members, grows};
    }

    /// The subtree that the top receives first: child 2v+2 of the heap.
    [[nodiscard]] constexpr heap_interval first() const { return {rank_at(1), size - 1 - second().size, grows}; }

    /// Rounds until the top has all of block 0: it receives it in the last two of them.
    [[nodiscard]] constexpr std::size_t rounds() const {
        if (std::has_single_bit(size + 1)) { return 2 * (schedules::bit_width(size) - 1); }
        auto const late = 1 + second().rounds();
        return first().size == 0 ? late : std::max(late, 2 + first().rounds());
    }
};

/// The neighbours of one rank in a binary tree, and when block 0 passes.
struct binary_tree_position {
    std::array<heap_interval, 2> children{};   ///< in the order in which they are received; may be empty
    std::size_t parent = 0;
    std::size_t complete = 0;                  ///< the round after its last receive of block 0: it sends then
    std::size_t rounds = 0;                    ///< the same of the root

    constexpr binary_tree_position(std::size_t rank, std::size_t size, std::size_t root) {
        auto within = root == 0 ? heap_interval{0, size, side::right} : heap_interval{root, size, side::left};
        children = {within.first(), within.second()};
        rounds = within.rounds();
        if (root != 0 && root != size - 1) {
            heap_interval const below{root - 1, root, side::left};
            heap_interval const above{root + 1, size - 1 - root, side::right};
            children = {above, below};
            if (below.rounds() < above.rounds()) { children = {below, above}; }
            rounds = std::max(2 + children[0].rounds(), 1 + children[1].rounds());
        }
        complete = rounds;
        for (auto node = root; node != rank; node = within.top) {
            bool const early = children[0].contains(rank);
            parent = node;
            within = children[early ? 0 : 1];
            complete -= early ? 2 : 1;
            children = {within.first(), within.second()};
        }
    }
};

}  // namespace tutti::generators
