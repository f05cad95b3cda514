// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <type_traits>

#include <tutti/generator.hpp>
#include <tutti/generator/occupied.hpp>
#include <tutti/generator/reduce/linear.hpp>
#include <tutti/ownership.hpp>

namespace tutti {

/// The root sends every rank its part, in the order of ranks. Reversed, it is a gather.
///
/// Result: on each rank its part of the root's vector, any root. Every part is sent once.
/// Cost: (p-1)α + (p-1)/p m β for equal parts, all of it at the root; p-1 rounds.
constexpr facts describe(collective::scatter, std::type_identity<linear>) { return {.name = "linear"}; }

/// One block per rank.
[[nodiscard]] constexpr std::size_t blocks_for(collective::scatter, linear const&, std::size_t size,
                                               std::size_t /*bytes*/) {
    return size;
}

[[nodiscard]] inline lazy_schedule generate(collective::scatter, linear const&, problem const& at) {
    auto const rank = at.rank;
    auto const root = at.root;
    auto const rounds = at.size - 1;
    return occupied(at.blocks, indexed_schedule(rounds, rank == root ? rounds : 1,
                                                [=, size = at.size, blocks = at.blocks.blocks()](std::size_t i) {
        if (rank != root) {
            return step::receive(rank < root ? rank : rank - 1, root, buffer::result(),
                                 ownership::blocks_of(rank, size, blocks));
        }
        auto const peer = i < root ? i : i + 1;
        return step::send(i, peer, buffer::result(), ownership::blocks_of(peer, size, blocks));
    }));
}

}  // namespace tutti
