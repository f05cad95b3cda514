// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <type_traits>

#include <tutti/cost/price.hpp>
#include <tutti/generator/named.hpp>
#include <tutti/problem.hpp>

namespace tutti::generators {

/// Every rank sends its whole vector to the root. For scans, a chain: see generator/linear.hpp.
///
/// The root receives from root-1, ..., 0, root+1, ..., p-1, so that every combine has the nearest missing operand.
/// Cost: (p-1)(α + (β+γ)m), all of it at the root.
/// Source: [thakur05]. Counts of reduce: p - 1 | m | (p - 1) m.
struct linear {
    std::size_t segments = 0;   ///< of scans, 0: blocks of 128 KiB; a reduction is one block
    friend bool operator==(linear const&, linear const&) = default;
};

constexpr facts describe(collective::reduce, std::type_identity<linear>) { return {.name = "linear"}; }

/// Only scans gain from blocks, since ranks pass them on.
template <class Collective>
    requires(!collective::scan_collective<Collective>)
[[nodiscard]] constexpr std::size_t blocks_for(Collective, linear const&, std::size_t size, std::size_t /*bytes*/) {
    return collective::divides<Collective> ? size : 1;
}

[[nodiscard]] inline lazy_schedule generate(collective::reduce, linear const&, problem const& at) {
    auto const rank = at.rank;
    auto const root = at.root;
    auto const rounds = at.size - 1;
    auto const turn = rank < root ? root - 1 - rank : rank - 1;
    block_list const whole{block_range{0, at.blocks.blocks()}};
    auto const count = at.blocks.elements() == 0 ? 0 : rank == root ? rounds : 1;
    return indexed_schedule(rounds, count, [=](std::size_t i) -> step {
        if (rank != root) { return step::send(turn, root, buffer::result(), whole); }
        bool const below = i < root;
        return step::receive_combine(i, below ? root - 1 - i : i + 1, buffer::result(), whole,
                                     below ? side::left : side::right);
    });
}

/// The root sends every rank its part, in the order of ranks. Reversed, it is a gather.
///
/// Cost: (p-1)α + (p-1)/p m β for equal parts, all of it at the root. Counts of scatter: p - 1 | m (p - 1)/p | 0.
constexpr facts describe(collective::scatter, std::type_identity<linear>) { return {.name = "linear"}; }

[[nodiscard]] inline lazy_schedule generate(collective::scatter, linear const&, problem const& at) {
    auto const rank = at.rank;
    auto const root = at.root;
    auto const rounds = at.size - 1;
    return without_empty_blocks(at.blocks, indexed_schedule(rounds, rank == root ? rounds : 1,
                                                [=, size = at.size, blocks = at.blocks.blocks()](std::size_t i) {
        if (rank != root) {
            return step::receive(rank < root ? rank : rank - 1, root, buffer::result(),
                                 ownership::blocks_of(rank, size, blocks));
        }
        auto const peer = i < root ? i : i + 1;
        return step::send(i, peer, buffer::result(), ownership::blocks_of(peer, size, blocks));
    }));
}

/// Scans by `linear`: block by block along the chain 0 → 1 → ... → p-1. A rank receives its prefix of each block, puts
/// it in front of its own operand and sends the product on; blocks follow one another every round. For scan_reduce the
/// last rank sends the totals back along the chain, from the round on in which it receives the last block.
///
/// Operands are combined from left to right: every prefix and the total have one tree on all ranks.
/// The rounds of scan_reduce are for p > 2 the least on a chain where a rank sends one message a round, since rank p-2
/// has 2q to send, the first not before round p-2, and the last one has p-3 hops left to rank 0.
/// Cost in lock step: (p+q-2)(α + (β+γ)m/q), best q about √(m(p-2)(β+γ)/α); to generate: O(1) for each step.
/// Counts of scans: p + q - 2 | m | m. Counts of scan_reduce: 2 (p + q) - 5, or 2 (p - 1) if q = 1 | at most 2 m | m.
template <collective::scan_collective Scan>
constexpr facts describe(Scan, std::type_identity<linear>) {
    return {.name = "linear"};
}

/// Rounds in which q blocks pass along a chain of all ranks.
[[nodiscard]] constexpr std::size_t rounds_along_chain(std::size_t size, std::size_t blocks) {
    return size == 1 || blocks == 0 ? 0 : size + blocks - 2;
}

/// The steps of one rank for a block that comes up the chain: `prefix` holds the message, `result` the same with the
/// own operand behind it.
struct chain_link {
    std::size_t rank;
    std::size_t size;
    bool last_combines;  ///< the last rank sends to no rank, but may want the total

    [[nodiscard]] constexpr std::size_t steps() const {
        if (size == 1) { return 0; }
        if (rank == 0) { return 1; }
        return rank + 1 < size ? 3 : last_combines ? 2 : 1;
    }

    [[nodiscard]] step operator()(std::size_t block, std::size_t turn) const {
        if (rank == 0 || turn == 2) { return step::send(rank + block, rank + 1, buffer::result(), block); }
        auto const round = rank - 1 + block;
        if (turn == 0) { return step::receive(round, rank - 1, buffer::prefix(), block); }
        return step::combine(round, buffer::prefix(), buffer::result(), block, side::left);
    }
};

[[nodiscard]] inline lazy_schedule generate(collective::exclusive_scan, linear const&, problem const& at) {
    auto const blocks = at.blocks.blocks();
    chain_link const link{at.rank, at.size, false};
    auto const per_block = link.steps();
    auto const step_at = [=](std::size_t i) { return link(i / per_block, i % per_block); };
    return without_empty_blocks(at.blocks,
                                indexed_schedule(rounds_along_chain(at.size, blocks), per_block * blocks, step_at));
}

[[nodiscard]] inline lazy_schedule generate(collective::inclusive_scan, linear const&, problem const& at) {
    auto const rank = at.rank;
    auto const blocks = at.blocks.blocks();
    std::size_t const receives = rank == 0 ? 0 : 1;
    std::size_t const per_block = receives + (rank + 1 == at.size ? 0 : 1);
    auto const step_at = [=](std::size_t i) -> step {
        auto const block = i / per_block;
        if (i % per_block == receives) { return step::send(rank + block, rank + 1, buffer::result(), block); }
        return step::receive_combine(rank - 1 + block, rank - 1, buffer::result(), block, side::left);
    };
    return without_empty_blocks(at.blocks,
                                indexed_schedule(rounds_along_chain(at.size, blocks), per_block * blocks, step_at));
}

[[nodiscard]] inline lazy_schedule generate(collective::scan_reduce, linear const&, problem const& at) {
    auto const rank = at.rank;
    auto const blocks = at.blocks.blocks();
    auto const above = at.size - 1 - rank;
    chain_link const link{rank, at.size, true};
    auto const up = link.steps();
    std::size_t const receives = above == 0 ? 0 : 1;
    std::size_t const down = receives + (rank == 0 ? 0 : 1);
    // when the last rank sends the first total: rank p-2 has nothing left to send up when it gets it
    auto const turns = at.size + std::max<std::size_t>(blocks, 2) - 3;
    auto const along = rounds_along_chain(at.size, blocks);
    auto const step_at = [=](std::size_t i) -> step {
        if (i < up * blocks) { return link(i / up, i % up); }
        auto const later = i - up * blocks;
        auto const block = later / down;
        auto const round = turns + above + block;
        if (later % down == receives) { return step::send(round, rank - 1, buffer::result(), block); }
        return step::receive(round - 1, rank + 1, buffer::result(), block);
    };
    return without_empty_blocks(at.blocks,
                                indexed_schedule(along == 0 ? 0 : turns + along, (up + down) * blocks, step_at));
}

[[nodiscard, gnu::cold]] inline double time_of(collective::scatter, linear const&, pricing::message_costs const& costs,
                                               call_parameters const& now) {
    auto const part = static_cast<double>(now.bytes) / static_cast<double>(now.size);
    return costs.one_way(part) + static_cast<double>(now.size - 2) * costs.gap(part);
}

/// A chain; the total goes back along it. A rank that sends on both what it received and what it has combined combines
/// when the whole message has arrived.
template <collective::scan_collective Scan>
[[nodiscard, gnu::cold]] double time_of(Scan, linear const& generator, pricing::message_costs const& costs,
                                        call_parameters const& now) {
    constexpr double results = collective::results_of<Scan>;
    auto const hops = static_cast<double>(now.size - 1);
    pricing::pipeline_cost cost{.hops = results * hops, .messages = results, .kept = results - 1};
    if constexpr (std::same_as<Scan, collective::inclusive_scan>) {
        return pricing::time_of_segments(generator.segments, cost, costs, now);
    }
    // the last rank of an exclusive scan, and ranks that receive the total, do not combine
    constexpr bool exclusive = std::same_as<Scan, collective::exclusive_scan>;
    cost.combines = (exclusive ? hops - 1 : hops) / cost.hops;
    auto const combining = exclusive && now.size == 2 ? costs.without_combines() : costs.whole();
    return pricing::time_of_segments(generator.segments, cost, combining, now);
}

}  // namespace tutti::generators

namespace tutti {
using generators::linear;
}  // namespace tutti
