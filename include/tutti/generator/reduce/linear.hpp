// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <type_traits>

#include <tutti/generator.hpp>

namespace tutti {

/// Every rank sends its whole vector to the root.
///
/// Result: on the root x_0 ⊕ ... ⊕ x_{p-1}, any root. The root receives from root-1, ..., 0, root+1, ..., p-1,
/// so operands stay in order and every combine has the nearest operand that is missing.
/// Cost: (p-1)(α + (β+γ)m), all of it at the root; p-1 rounds.
struct linear {
    friend bool operator==(linear const&, linear const&) = default;
};

constexpr facts describe(collective::reduce, std::type_identity<linear>) { return {.name = "linear"}; }

[[nodiscard]] inline auto generate(collective::reduce, linear const&, problem const& at) {
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

}  // namespace tutti
