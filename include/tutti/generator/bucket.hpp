// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <type_traits>

#include <tutti/cost/price.hpp>
#include <tutti/generator/named.hpp>
#include <tutti/problem.hpp>

namespace tutti::generators {

/// c buckets for each rank go once round the ring and collect every other rank's contribution.
///
/// The buckets of rank y start on rank y+1, so their operands are in the order y+1, ..., p-1, 0, ..., y: commutative
/// operators only. With c > 1 a rank passes one on while the next one is on its way.
/// No part is written after it was sent. Reversed, it is an all_gather. Errors: std::invalid_argument for c = 0.
/// Cost: for equal parts (p-1)cα + (p-1)/p m (β + γ); otherwise each round costs its largest bucket. With c > 1,
/// where messages under way together share their latency, a hop takes max(α + m/(cp) β, m/p β) instead of α + m/p β.
/// Source: [poster]. Counts of reduce_scatter, q segments of each part: (p - 1) q | m (p - 1)/p | m (p - 1)/p.
struct bucket {
    std::size_t segments = 1;  ///< c, of each rank's part
    friend bool operator==(bucket const&, bucket const&) = default;
};

constexpr facts describe(collective::reduce_scatter, std::type_identity<bucket>) {
    return {.name = "bucket", .requires_commutative = true};
}

/// A block for each bucket.
[[nodiscard]] constexpr std::size_t blocks_for(collective::reduce_scatter, bucket const& all, std::size_t size,
                                               std::size_t /*bytes*/) {
    return all.segments * size;
}

[[nodiscard, gnu::cold]] inline lazy_schedule generate(collective::reduce_scatter, bucket const& all,
                                                       problem const& at) {
    if (all.segments == 0) { throw std::invalid_argument{"tutti: bucket needs at least one of segments"}; }
    auto const rounds = (at.size - 1) * all.segments;
    return without_empty_blocks(at.blocks, indexed_schedule(rounds, 2 * rounds,
                                                [rank = at.rank, size = at.size, segments = all.segments,
                                                 blocks = at.blocks.blocks()](std::size_t i) -> step {
        auto const round = i / 2;
        auto const before = (rank + size - 1) % size;
        auto const bucket_of = [&](std::size_t owner) -> block_range {
            auto const part = ownership::blocks_of(owner, size, blocks);
            auto const cut = [&](std::size_t s) { return part.first + (part.last - part.first) * s / segments; };
            return {cut(round % segments), cut(round % segments + 1)};
        };
        auto const hops = round / segments;
        if (i % 2 == 0) {
            return step::send(round, (rank + 1) % size, buffer::result(), bucket_of((before + size - hops) % size));
        }
        return step::receive_combine(round, before, buffer::result(), bucket_of((before + size - 1 - hops) % size),
                                     side::left);
    }));
}

/// Every rank sends to the next one and combines what it receives. Two ranks exchange; of more ranks no two send to
/// each other, so that the factor of an exchange does not count.
[[nodiscard, gnu::cold]] inline double time_of_shift(double bytes, pricing::message_costs const& costs,
                                                     call_parameters const& now) {
    auto const factors = now.contention_at(1);
    return now.size == 2 ? costs.exchange(bytes, factors) : costs.one_way(bytes, factors);
}

/// Each part goes through all ranks in `messages` messages; a rank passes one on while the next one arrives.
[[nodiscard, gnu::cold]] inline double time_of_shifts(std::size_t messages, pricing::message_costs const& costs,
                                                      call_parameters const& now) {
    auto const count = static_cast<double>(messages);
    auto const bytes = pricing::part_of(now) / count;
    auto const hop = time_of_shift(bytes, costs, now);
    // of two ranks each waits for the other
    auto const next = messages == 1 || now.size == 2 ? hop : costs.stage(bytes, 1, now.contention_at(1));
    return static_cast<double>(now.size - 1) * std::max(hop, count * next) + std::min(hop - next, (count - 1) * next);
}

/// Every rank sends to the next one only.
[[nodiscard, gnu::cold]] inline double time_of(collective::reduce_scatter, bucket const& generator,
                                               pricing::message_costs const& costs, call_parameters const& now) {
    return time_of_shifts(generator.segments, costs, now);
}

}  // namespace tutti::generators

namespace tutti {
using generators::bucket;
}  // namespace tutti
