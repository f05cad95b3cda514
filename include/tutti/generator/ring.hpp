// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <type_traits>

#include <tutti/cost/price.hpp>
#include <tutti/generator.hpp>
#include <tutti/generator/bucket.hpp>
#include <tutti/generator/pattern/ring_position.hpp>

namespace tutti {

/// Each of S = cp segments goes once round the ring to be reduced, and once more to be distributed: with c = 1 the
/// textbook's ring, in which rank r sends segments r, r-1, ..., and owns segment r+1 half-way.
///
/// Segment j is the blocks [⌊jq/S⌋, ⌊(j+1)q/S⌋) of q. It starts on rank r = ⌊j/c⌋ and is complete on rank r-1, so its
/// operands are in the order r, r+1, ..., r-1: commutative operators only. Complete segments are copied, so
/// all ranks get the same bits. With c > 1 a rank passes one segment on while the next one is on its way.
/// Result: on every rank the combination of all x_r, any size.
/// Errors: std::invalid_argument for c = 0.
/// Cost: 2(p-1)c rounds; with even segments 2(p-1)cα + (p-1)/p m (2β + γ). Where messages under way together share
/// their latency, no α counts that is shorter than what the other c-1 segments take.
struct ring {
    std::size_t sub_segments = 1;  ///< c, that each rank starts
    friend bool operator==(ring const&, ring const&) = default;
};

constexpr facts describe(collective::all_reduce, std::type_identity<ring>) {
    return {.name = "ring", .requires_commutative = true};
}

/// A block for each segment.
[[nodiscard]] constexpr std::size_t blocks_for(ring const& all, std::size_t size, std::size_t /*bytes*/) {
    return all.sub_segments * size;
}

[[nodiscard, gnu::cold]] inline lazy_schedule generate(collective::all_reduce, ring const& all, problem const& at) {
    if (all.sub_segments == 0) { throw std::invalid_argument{"tutti: ring needs at least one of sub_segments"}; }
    return ring_schedule(at.blocks, 2 * (at.size - 1) * all.sub_segments,
                         {.before = (at.rank + at.size - 1) % at.size,
                          .next = (at.rank + 1) % at.size,
                          .size = at.size,
                          .segments = at.size * all.sub_segments,
                          .first = (at.rank + 1) * all.sub_segments - 1,
                          .started = all.sub_segments,
                          .started_by_next = all.sub_segments,
                          .started_by_second = all.sub_segments,
                          .early = all.sub_segments - 1});
}

/// Once round the ring to reduce and once more to distribute, always to the next rank.
[[nodiscard, gnu::cold]] inline double time_of(collective::all_reduce, ring const& generator,
                                               message_costs const& costs, call_parameters const& now) {
    return time_of_shifts(generator.sub_segments, costs, now) +
           time_of_shifts(generator.sub_segments, costs.without_combines(), now);
}

}  // namespace tutti
