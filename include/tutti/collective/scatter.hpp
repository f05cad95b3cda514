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

/// out on rank r = part r of `in` on rank `root`. Part r has the `counts[r]` elements that follow part r - 1; without
/// counts, all parts are of the size of `out`.
/// Requires: the same root on all ranks, and counts on all or none; they are read on the root only, unless an algorithm
/// is named. Counts may be 0.
/// Result: on every rank its part; `in` elsewhere than on the root is not read, and may be left out. With `inplace(x)`,
/// the root's x is the whole vector and stays as it is.
/// Order: nothing is combined, so that the bits are those of the input whatever the algorithm.
/// Errors: std::invalid_argument before the first message for a root, sizes and counts that cannot be; the
/// communicator's errors.
/// Cost: (p - 1)/p m β for equal parts, m elements in all; short parts take ⌈log2 p⌉ α, long ones, and those with
/// counts, (p - 1) α.
/// Source: the second half of the short-vector reduce-scatter; `algorithm` names a generator instead of tutti's choice.
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
