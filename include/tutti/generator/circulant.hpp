// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include <tutti/cost/price.hpp>
#include <tutti/generator/named.hpp>
#include <tutti/generator/pattern/skips.hpp>
#include <tutti/problem.hpp>

namespace tutti::generators {

/// Partial results walk to their owners over halving distances, longest first.
///
/// In the round of distance s_k rank r sends what it has of the parts of the ranks r + s_k, ..., r + s_{k+1} - 1, and
/// keeps those of r, ..., r + s_k - 1. A contribution walks the greedy decomposition of its distance.
/// Each part is combined in one place. Reversed, it is an all_gather.
/// Cost, for equal parts: ⌈log2 p⌉ α + (p-1)/p m (β + γ), all three terms the least. With one part of c elements
/// among small ones: ⌈log2 p⌉ (α + (β + γ) c). To generate: O(log p).
/// Source: [traeff25]. Counts of reduce_scatter: L, the fewest | m (p - 1)/p | m (p - 1)/p.
/// Counts of all_reduce: 2 L | 2 m (p - 1)/p | m (p - 1)/p.
struct circulant {
    friend bool operator==(circulant const&, circulant const&) = default;
};

constexpr facts describe(collective::reduce_scatter, std::type_identity<circulant>) {
    return {.name = "circulant", .requires_commutative = true, .keeps_round_order = true};
}

/// Partial results walk to their owners over `skips` with divisor d, in up to d - 1 messages a round. All messages of a
/// round are sent before the first one is received.
[[nodiscard]] inline auto circulant_schedule(dividing_skips const& skips, problem const& at) {
    auto const messages = skips.divisor() - 1;
    auto const parts = [rank = at.rank, size = at.size, blocks = at.blocks.blocks()](std::size_t distance,
                                                                                   std::size_t count) {
        return ownership::blocks_of_ranks(rank + distance, count, size, blocks);
    };
    return without_empty_blocks(at.blocks, indexed_schedule(skips.count(), 2 * messages * skips.count(),
                                                [=, rank = at.rank, size = at.size](std::size_t i) -> step {
        auto const round = i / (2 * messages);
        auto const k = skips.count() - 1 - round;
        auto const distance = (i % messages + 1) * skips[k];
        auto const count = std::min(skips[k], skips[k + 1] - std::min(distance, skips[k + 1]));
        if (i / messages % 2 == 0) {
            return step::send(round, (rank + distance) % size, buffer::result(), parts(distance, count));
        }
        return step::receive_combine(round, (rank + size - distance % size) % size, buffer::result(),
                                     parts(0, count), side::left);
    }));
}

[[nodiscard, gnu::cold]] inline lazy_schedule generate(collective::reduce_scatter, circulant const&,
                                                       problem const& at) {
    return circulant_schedule(halving_skips{at.size}, at);
}

[[nodiscard, gnu::cold]] inline double time_of(collective::reduce_scatter, circulant const&,
                                               pricing::message_costs const& costs, call_parameters const& now) {
    return time_of_circulant(1, costs, now);
}

}  // namespace tutti::generators

namespace tutti {
using generators::circulant;
}  // namespace tutti
