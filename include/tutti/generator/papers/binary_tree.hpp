// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <type_traits>

#include <tutti/generator/named.hpp>
#include <tutti/generator/pattern/binary_tree_position.hpp>
#include <tutti/problem.hpp>

namespace tutti::generators {

/// Blocks move one after another up a balanced binary tree that keeps operands in order.
///
/// Root 0: the shape of a heap (children of v are 2v+1 and 2v+2, the higher number is received first), ranks
/// numbered in the order in which they are received, so that every child continues its parent's interval of
/// ranks on the right. Root p-1: the mirror image. Other roots: a mirrored tree over the ranks below and a tree
/// over the ranks above.
/// A rank receives a block in two successive rounds and sends it in the next one.
/// Cost in lock step: 2(N+q-2)(α + (β+γ)m/q), N = ⌈log2(p+1)⌉. Source: [lowery13], section II.
/// Counts of reduce: at most 2 (N + q - 2) | m | 2 m.
struct binary_tree {
    std::size_t segments = 0;   ///< 0: blocks of 128 KiB
    friend bool operator==(binary_tree const&, binary_tree const&) = default;
};

constexpr facts describe(collective::reduce, std::type_identity<binary_tree>) { return {.name = "binary_tree"}; }

[[nodiscard]] inline lazy_schedule generate(collective::reduce, binary_tree const&, problem const& at) {
    binary_tree_position const place{at.rank, at.size, at.root};
    auto const blocks = at.blocks.blocks();
    std::size_t const early = place.children[0].size != 0 ? 1 : 0;
    std::size_t const receives = early + (place.children[1].size != 0 ? 1 : 0);
    std::size_t const per_block = receives + (at.rank == at.root ? 0 : 1);
    auto const rounds = at.size == 1 || blocks == 0 ? 0 : place.rounds + 2 * (blocks - 1);

    return without_empty_blocks(at.blocks, indexed_schedule(rounds, per_block * blocks, [=](std::size_t i) -> step {
        auto const block = i / per_block;
        auto const turn = i % per_block;
        auto const complete = place.complete + 2 * block;
        if (turn == receives) { return step::send(complete, place.parent, buffer::result(), block); }
        bool const first = turn < early;
        auto const& child = place.children[first ? 0 : 1];
        return step::receive_combine(complete - (first ? 2 : 1), child.top, buffer::result(), block, child.grows);
    }));
}

}  // namespace tutti::generators

namespace tutti {
using generators::binary_tree;
}  // namespace tutti
