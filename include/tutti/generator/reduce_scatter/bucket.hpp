// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <type_traits>

#include <tutti/generator.hpp>
#include <tutti/generator/occupied.hpp>
#include <tutti/ownership.hpp>

namespace tutti {

/// A bucket for each rank goes once round the ring and collects every other rank's contribution.
///
/// The bucket of rank y starts on rank y+1, so its operands are in the order y+1, ..., p-1, 0, ..., y: commutative
/// operators only.
/// Result: on each rank its part of the combination of all x_r, any size. No part is written after it was sent.
/// Reversed, it is an all_gather.
/// Rounds: p-1, all messages between neighbours.
/// Cost: for equal parts (p-1) α + (p-1)/p m (β + γ); otherwise each round costs its largest part.
struct bucket {
    friend bool operator==(bucket const&, bucket const&) = default;
};

constexpr facts describe(collective::reduce_scatter, std::type_identity<bucket>) {
    return {.name = "bucket", .requires_commutative = true};
}

/// One block per rank.
[[nodiscard]] constexpr std::size_t blocks_for(collective::reduce_scatter, bucket const&, std::size_t size,
                                               std::size_t /*bytes*/) {
    return size;
}

[[nodiscard]] inline auto generate(collective::reduce_scatter, bucket const&, problem const& at) {
    return occupied(at.blocks, indexed_schedule(at.size - 1, 2 * (at.size - 1),
                                                [rank = at.rank, size = at.size,
                                                 blocks = at.blocks.blocks()](std::size_t i) -> step {
        auto const round = i / 2;
        auto const before = (rank + size - 1) % size;
        auto const bucket_of = [&](std::size_t owner) { return ownership::blocks_of(owner, size, blocks); };
        if (i % 2 == 0) {
            return step::send(round, (rank + 1) % size, buffer::result(), bucket_of((before + size - round) % size));
        }
        return step::receive_combine(round, before, buffer::result(), bucket_of((before + size - 1 - round) % size),
                                     side::left);
    }));
}

}  // namespace tutti
