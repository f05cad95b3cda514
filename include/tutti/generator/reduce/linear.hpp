// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <type_traits>

#include <tutti/generator.hpp>
#include <tutti/generator/occupied.hpp>
#include <tutti/ownership.hpp>

namespace tutti {

/// Every rank sends its whole vector to the root. For scans, a chain: see generator/scan/linear.hpp.
///
/// Result: on the root x_0 ⊕ ... ⊕ x_{p-1}, any root. The root receives from root-1, ..., 0, root+1, ..., p-1,
/// so operands stay in order and every combine has the nearest operand that is missing.
/// Cost: (p-1)(α + (β+γ)m), all of it at the root; p-1 rounds.
struct linear {
    std::size_t segments = 0;   ///< of scans, 0: blocks of 128 KiB; a reduction is one block
    friend bool operator==(linear const&, linear const&) = default;
};

constexpr facts describe(collective::reduce, std::type_identity<linear>) { return {.name = "linear"}; }

/// A root that receives whole vectors gains nothing from blocks.
[[nodiscard]] constexpr std::size_t blocks_for(collective::reduce, linear const&, std::size_t /*size*/,
                                               std::size_t /*bytes*/) {
    return 1;
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
