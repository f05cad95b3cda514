// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <type_traits>

#include <tutti/cost/price.hpp>
#include <tutti/generator/bucket.hpp>
#include <tutti/generator/named.hpp>
#include <tutti/problem.hpp>

namespace tutti::generators {

/// The textbook's ring: in round i rank r sends segment r - i to the next rank, and receives segment r - 1 - i from the
/// one before. In the first p - 1 rounds it combines what it receives; then it has segment r + 1 of the result, and in
/// as many rounds passes on what is complete.
///
/// With c > 1 each segment is c of them, the last one first: a rank passes one on while the next one is on its way.
/// Segment j of S = cp is the blocks [⌊jq/S⌋, ⌊(j+1)q/S⌋) of q. Its operands are in the order r, r+1, ..., r-1, for
/// r = ⌊j/c⌋, where it starts: commutative operators only. Complete segments are copied, so all ranks get the same
/// bits. Errors: std::invalid_argument for c = 0.
/// Cost: 2(p-1)c rounds; with even segments 2(p-1)cα + (p-1)/p m (2β + γ). With c > 1, where
/// messages under way together share their latency, a hop takes max(α + m/(cp) β, m/p β) instead of α + m/p β.
/// Source: [thakur05]. Counts of all_reduce, q = c p: 2 (p - 1) c | 2 m (p - 1)/p | m (p - 1)/p.
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
    auto const c = all.sub_segments;
    if (c == 0) { throw std::invalid_argument{"tutti: ring needs at least one of sub_segments"}; }
    auto const segments = at.size * c;
    auto const rounds = 2 * (at.size - 1) * c;
    auto const step_of = [=, rank = at.rank, size = at.size, blocks = at.blocks.blocks()](std::size_t i) -> step {
        auto const round = i / 2;
        // that a rank sends in this round: from the last one that it starts down, round the circle
        auto const segment_of = [&](std::size_t sender) -> block_range {
            auto const segment = ((sender + 1) * c - 1 + 2 * segments - round) % segments;
            return {segment * blocks / segments, (segment + 1) * blocks / segments};
        };
        auto const before = (rank + size - 1) % size;
        if (i % 2 == 0) { return step::send(round, (rank + 1) % size, buffer::result(), segment_of(rank)); }
        if (round >= rounds / 2) { return step::receive(round, before, buffer::result(), segment_of(before)); }
        return step::receive_combine(round, before, buffer::result(), segment_of(before), side::left);
    };
    return without_empty_blocks(at.blocks, indexed_schedule(rounds, 2 * rounds, step_of));
}

/// The first half of it, after which each rank has its own part, is `bucket` with c segments. Reversed, an all_gather.
/// Counts of reduce_scatter, q segments of each part: (p - 1) q | m (p - 1)/p | m (p - 1)/p.
constexpr facts describe(collective::reduce_scatter, std::type_identity<ring>) {
    return {.name = "ring", .requires_commutative = true};
}

[[nodiscard, gnu::cold]] inline lazy_schedule generate(collective::reduce_scatter which, ring const& all,
                                                       problem const& at) {
    return generate(which, bucket{.segments = all.sub_segments}, at);
}

/// Once round the ring to reduce and once more to distribute, always to the next rank.
[[nodiscard, gnu::cold]] inline double time_of(collective::all_reduce, ring const& generator,
                                               pricing::message_costs const& costs, call_parameters const& now) {
    return time_of_shifts(generator.sub_segments, costs, now) +
           time_of_shifts(generator.sub_segments, costs.without_combines(), now);
}
[[nodiscard, gnu::cold]] inline double time_of(collective::reduce_scatter which, ring const& generator,
                                               pricing::message_costs const& costs, call_parameters const& now) {
    return time_of(which, bucket{.segments = generator.sub_segments}, costs, now);
}

}  // namespace tutti::generators

namespace tutti {
using generators::ring;
}  // namespace tutti
