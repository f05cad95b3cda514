// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <type_traits>

#include <tutti/generator.hpp>
#include <tutti/generator/occupied.hpp>

namespace tutti {

/// Each of p segments goes once round the ring to be reduced, and once more to be distributed.
///
/// Segment j is the blocks [⌊jq/p⌋, ⌊(j+1)q/p⌋) of q. It starts on rank j and is complete on rank j-1, so its
/// operands are in the order j, j+1, ..., j-1: commutative operators only. Complete segments are copied, so
/// all ranks get the same bits.
/// Result: on every rank the combination of all x_r, any size.
/// Cost: 2(p-1) rounds; with even segments 2(p-1)α + (p-1)/p m (2β + γ).
struct ring {
    friend bool operator==(ring const&, ring const&) = default;
};

constexpr facts describe(collective::all_reduce, std::type_identity<ring>) {
    return {.name = "ring", .requires_commutative = true};
}

/// One block per rank.
[[nodiscard]] constexpr std::size_t blocks_for(ring const&, std::size_t size, std::size_t /*bytes*/) { return size; }

[[nodiscard]] inline auto generate(collective::all_reduce, ring const&, problem const& at) {
    auto const size = at.size;
    auto const rank = at.rank;
    auto const blocks = at.blocks.blocks();
    auto const rounds = 2 * (size - 1);
    return occupied(at.blocks, indexed_schedule(rounds, 2 * rounds, [=](std::size_t i) -> step {
        auto const round = i / 2;
        bool const sends = i % 2 == 0;
        // what goes round next leaves a rank in the round after it came
        auto const hops = (sends ? round : round + 1) % size;
        auto const segment = (rank + size - hops) % size;
        block_range const part{segment * blocks / size, (segment + 1) * blocks / size};
        if (sends) { return step::send(round, (rank + 1) % size, buffer::result(), part); }
        auto const before = (rank + size - 1) % size;
        return round + 1 < size ? step::receive_combine(round, before, buffer::result(), part, side::left)
                                : step::receive(round, before, buffer::result(), part);
    }));
}

}  // namespace tutti
