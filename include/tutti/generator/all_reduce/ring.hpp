// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <type_traits>

#include <tutti/generator.hpp>
#include <tutti/generator/ring_position.hpp>

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
    return ring_schedule(at.blocks, 2 * (at.size - 1),
                         {.before = (at.rank + at.size - 1) % at.size,
                          .next = (at.rank + 1) % at.size,
                          .size = at.size,
                          .segments = at.size,
                          .first = at.rank,
                          .started = 1,
                          .started_by_next = 1,
                          .started_by_second = 1});
}

}  // namespace tutti
