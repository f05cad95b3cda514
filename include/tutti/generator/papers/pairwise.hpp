// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <type_traits>

#include <tutti/generator/named.hpp>
#include <tutti/problem.hpp>

namespace tutti::generators {

/// Every rank sends every other rank its part, to the next rank first.
///
/// Rank x receives from x-1, ..., 0 and then from p-1, ..., x+1. It combines the latter apart, in scratch of the size
/// of its part, so that both accumulators grow on the left and operands stay in order.
/// Each part is combined in one place. Reversed, it is an all_gather in which every rank sends its part to all others.
/// Cost: as `bucket`, for an operator that need not commute, and the time of one combine more, since
/// two are left when the last message has come: for equal parts and p > 2, (p-1) α + (p-1)/p m β + m γ.
/// Source: [thakur05]. Counts of reduce_scatter: p - 1 | m (p - 1)/p | m (p - 1)/p.
struct pairwise {
    friend bool operator==(pairwise const&, pairwise const&) = default;
};

constexpr facts describe(collective::reduce_scatter, std::type_identity<pairwise>) { return {.name = "pairwise"}; }

[[nodiscard]] inline lazy_schedule generate(collective::reduce_scatter, pairwise const&, problem const& at) {
    auto const rounds = at.size - 1;
    bool const has_successors = at.rank < rounds;
    auto const count = 2 * rounds + (has_successors ? 1 : 0);
    return without_empty_blocks(at.blocks, indexed_schedule(rounds, count, [=, rank = at.rank, size = at.size,
                                                                blocks = at.blocks.blocks()](std::size_t i) -> step {
        auto const own = ownership::blocks_of(rank, size, blocks);
        auto const successors = buffer::scratch(0);
        if (i == 2 * rounds) { return step::combine(rounds - 1, successors, buffer::result(), own, side::right); }
        auto const round = i / 2;
        auto const distance = round + 1;
        if (i % 2 == 0) {
            auto const peer = (rank + distance) % size;
            return step::send(round, peer, buffer::result(), ownership::blocks_of(peer, size, blocks));
        }
        auto const peer = (rank + size - distance) % size;
        if (peer < rank) { return step::receive_combine(round, peer, buffer::result(), own, side::left); }
        return peer + 1 == size ? step::receive(round, peer, successors, own)
                                : step::receive_combine(round, peer, successors, own, side::left);
    }));
}

}  // namespace tutti::generators

namespace tutti {
using generators::pairwise;
}  // namespace tutti
