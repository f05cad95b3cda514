// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/collective.hpp>
#include <tutti/collective/divided.hpp>
#include <tutti/collective/forms.hpp>
#include <tutti/collective/refusal.hpp>

#define TUTTI_UNLESS_LINKED <tutti/selection/candidates/scatter.hpp>
#include <tutti/seam.hpp>

namespace tutti {

namespace overloads {

/// How `scatter` may be called.
struct scatter : divided<collective::scatter> {
    template <class World>
    static constexpr void refuse() {
        static_assert(argument::never<World>,
                      "tutti: no such call; there are scatter(world, in, out, root), (world, in, out, "
                      "counts, root), (world, inplace(x), root), (world, pointer, pointer, "
                      "count, root), each with an algorithm at its end or without");
    }
};

}  // namespace overloads

/// out on rank r = part r of `in` on rank `root`. Part r has the `counts[r]` elements that follow part r - 1. Without
/// counts, all parts have the size of `out`.
/// Requires: the same root on all ranks, and counts on all ranks or none. Only the root reads them, unless an algorithm
/// is named. Counts may be 0.
/// Result: its part on every rank. Only the root reads `in`, and others may omit it. With `inplace(x)`, x on the root
/// is the whole vector and is unchanged.
/// Order: nothing is combined: the bits are those of the input, for every algorithm.
/// Errors: std::invalid_argument before the first message if the root is no rank, or sizes and counts do not fit;
/// errors of the communicator.
/// Cost: (p - 1)/p m β for equal parts, m elements in total; and ⌈log2 p⌉ α for short parts, (p - 1) α for long ones
/// and for parts with counts.
/// Source: the second half of the short-vector reduce-scatter; the argument `algorithm` replaces tutti's choice.
inline constexpr call_modes::blocking<overloads::scatter> scatter{};

namespace plan {
/// `tutti::scatter` as a plan.
inline constexpr call_modes::persistent<overloads::scatter> scatter{};
}  // namespace plan

namespace async {
/// `tutti::scatter`, started and not waited for.
inline constexpr call_modes::nonblocking<overloads::scatter> scatter{};
}  // namespace async

}  // namespace tutti
