// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <type_traits>

#include <tutti/generator/all_reduce/butterfly.hpp>
#include <tutti/generator/scan/split.hpp>

namespace tutti {

/// Ranks share out the vector in the first h of ⌈log2 p⌉ levels, exchange what they have in the others, and collect the
/// total on the way back.
///
/// Result: on every rank x_0 ⊕ ... ⊕ x_{p-1}, any size, operands in order, the same tree on every rank.
/// Rounds and cost: see `split`; combines (1 - 2^-h + (d - h) 2^-h) mγ. h = 0 is recursive doubling, h = d a butterfly.
/// Source: Bae, Kim, Ranka, Vector Prefix and Reduction Computation.
constexpr facts describe(collective::all_reduce, std::type_identity<split>) {
    return {.name = "split", .one_ported = false, .in_step = true};
}

[[nodiscard]] constexpr std::size_t blocks_for(collective::all_reduce, split const& generator, std::size_t size,
                                               std::size_t bytes) {
    return split_blocks(generator, size, bytes, 1);
}

[[nodiscard, gnu::cold]] inline lazy_schedule generate(collective::all_reduce, split const& generator,
                                                       problem const& at) {
    return exchange_and_return(split_intervals(generator, at.size, at.blocks.blocks(), 1), at);
}

}  // namespace tutti
