// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include <tutti/cost/price.hpp>
#include <tutti/generator/named.hpp>
#include <tutti/problem.hpp>

namespace tutti::generators {

/// Blocks move one after another along the chains 0 → ... → root ← ... ← p-1.
///
/// With two chains, the root takes a block of either in turn, so that each sends one every second round.
/// Cost in lock step, one chain: (p+q-2)(α + (β+γ)m/q); best q about √(m(p-2)(β+γ)/α).
/// Source: textbook, as in [lowery13]. Counts of reduce, root 0 or p - 1: p + q - 2 | m | m.
/// Counts of reduce, other roots: 2 (q - 1) + the longer side of the root, one more if both are as long | m | 2 m.
struct pipeline {
    std::size_t segments = 0;   ///< 0: blocks of 128 KiB
    friend bool operator==(pipeline const&, pipeline const&) = default;
};

constexpr facts describe(collective::reduce, std::type_identity<pipeline>) {
    return {.name = "pipeline"};
}

/// The two chains of a pipeline that end at its root, and when their blocks get there.
struct pipeline_chains {
    std::size_t left;            ///< ranks of the left chain, without the root
    std::size_t right;
    bool both;
    std::size_t left_arrives;    ///< round in which the root receives block 0 from the left chain
    std::size_t right_arrives;
    std::size_t period;          ///< rounds from one block to the next
    std::size_t rounds;

    /// The shorter chain's blocks arrive one round before the longer one's, so that the root never receives two in one.
    constexpr pipeline_chains(std::size_t size, std::size_t root, std::size_t blocks)
        : left{root}, right{size - 1 - root}, both{left != 0 && right != 0} {
        auto const longer = std::max(left, right);
        auto const last = both && left == right ? longer + 1 : longer;
        left_arrives = last - (both && left < right ? 2 : 1);
        right_arrives = last - (both && left >= right ? 2 : 1);
        period = both ? 2 : 1;
        rounds = size == 1 || blocks == 0 ? 0 : last + (blocks - 1) * period;
    }
};

[[nodiscard, gnu::cold]] inline lazy_schedule generate(collective::reduce, pipeline const&, problem const& at) {
    auto const rank = at.rank;
    auto const root = at.root;
    auto const blocks = at.blocks.blocks();
    pipeline_chains const chains{at.size, root, blocks};
    bool const below = rank < root;
    bool const innermost = rank == 0 || rank + 1 == at.size;
    auto const distance = below ? root - rank : rank - root;
    auto const towards = below ? rank + 1 : rank - 1;
    auto const from = below ? rank - 1 : rank + 1;
    auto const sends = (below ? chains.left_arrives : chains.right_arrives) + 1 - distance;
    bool const left_first = chains.left != 0 && (!chains.both || chains.left_arrives < chains.right_arrives);
    std::size_t const per_block = rank == root ? (at.size == 1 ? 0 : chains.both ? 2 : 1) : innermost ? 1 : 2;

    return without_empty_blocks(
        at.blocks, indexed_schedule(chains.rounds, per_block * blocks, [=](std::size_t i) -> step {
            auto const block = i / per_block;
            bool const second = i % per_block == 1;
            auto const later = block * chains.period;
            if (rank == root) {
                bool const left = left_first != second;
                return step::receive_combine((left ? chains.left_arrives : chains.right_arrives) + later,
                                             left ? root - 1 : root + 1, buffer::result(), block,
                                             left ? side::left : side::right);
            }
            if (innermost || second) { return step::send(sends + later, towards, buffer::result(), block); }
            return step::receive_combine(sends - 1 + later, from, buffer::result(), block,
                                         below ? side::left : side::right);
        }));
}

[[nodiscard, gnu::cold]] inline double time_of(collective::reduce, pipeline const& generator,
                                               pricing::message_costs const& costs, call_parameters const& now) {
    return pricing::time_of_segments(generator.segments, {.hops = static_cast<double>(now.size - 1)}, costs, now);
}

}  // namespace tutti::generators

namespace tutti {
using generators::pipeline;
}  // namespace tutti
