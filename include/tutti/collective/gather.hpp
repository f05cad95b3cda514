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

/// How `gather` may be called.
struct gather : divided<collective::gather> {
    template <class World>
    static constexpr void refuse() {
        static_assert(argument::never<World>,
                      "tutti: no such call; there are gather(world, in, out, root), (world, in, out, "
                      "counts, root), (world, inplace(x), root), (world, pointer, count, "
                      "pointer, root), each with an algorithm at its end or without");
    }
};

}  // namespace overloads

/// out on rank `root` = in(0), in(1), …, in(p - 1), one after the other; in(r) is `in` on rank r and has `counts[r]`
/// elements; without counts, all have as many.
/// Requires: the same root on all ranks, and counts on all or none; they are read on the root only, unless an algorithm
/// is named. Counts may be 0.
/// Result: on the root; `out` elsewhere is neither read nor written, and may be left out. With `inplace(x)`, the root's
/// x is the whole vector and has the root's part in its place. A vector `out` grows on the root as in Boost.MPI where
/// `in` is one element, or is given as pointer and count.
/// Order: nothing is combined, so that the bits are those of the input whatever the algorithm.
/// Errors: std::invalid_argument before the first message for a root, sizes and counts that cannot be; the
/// communicator's errors.
/// Cost: (p - 1)/p m β for equal parts, m elements in all; short parts take ⌈log2 p⌉ α, long ones, and those with
/// counts, (p - 1) α.
/// Source: every gather is a reversed scatter; `algorithm` names either instead of tutti's choice.
inline constexpr call_modes::blocking<overloads::gather> gather{};

namespace plan {
/// `tutti::gather` as a plan.
inline constexpr call_modes::persistent<overloads::gather> gather{};
}  // namespace plan

namespace async {
/// `tutti::gather`, started and not waited for.
inline constexpr call_modes::nonblocking<overloads::gather> gather{};
}  // namespace async

}  // namespace tutti
