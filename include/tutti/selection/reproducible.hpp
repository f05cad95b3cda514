// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <concepts>

namespace tutti {

/// As an algorithm: the fastest among those whose terms are the canonical tree.
///
/// The canonical tree over operands [first, last) combines the canonical trees of the first 2^k operands and of the
/// others, 2^k the largest power of two below last - first: of seven it is ((0+1)+(2+3))+((4+5)+6). Every element of
/// the result has it, of a scan that over the operands of its prefix.
/// Order: operands stay in rank order. Bits depend on the operands and the number of ranks, and on nothing else: not on
/// the length of the vector, the place of an element, the root, the machine model, the node map, the kind of
/// communicator or the collective.
/// Cost: that of the fastest of unfolded multiplying, binary blocks, alternating trees and, where these are canonical for
/// p, butterflies and splits. Scans of long vectors cost about twice what a chain does, whose prefixes are not canonical:
/// parts go to all ranks and back. Where nothing is combined it is `automatic`. Source: `symbolic::expressions` defines
/// the tree, and a test proves every candidate for p up to 64.
struct reproducible {
    friend bool operator==(reproducible const&, reproducible const&) = default;
};

class held_algorithm;

/// The held form of `reproducible` for calls of a collective. Linked or included, as `plan_program`.
template <class Collective>
[[nodiscard]] held_algorithm* hold_reproducible_for(void const* named);

}  // namespace tutti
