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
/// elements. Without counts, all have the same number.
/// Requires: the same root on all ranks, and counts on all ranks or none. Only the root reads them, unless an algorithm
/// is named. Counts may be 0.
/// Result: on the root. Other ranks may omit `out`, which they neither read nor write. With `inplace(x)`, x on the root
/// is the whole vector with the root's part in its place. A vector `out` grows on the root as in Boost.MPI, if `in` is
/// one element, or pointer and count.
/// Order: nothing is combined: the bits are those of the input, for every algorithm.
/// Errors: std::invalid_argument before the first message if the root is no rank, or sizes and counts do not fit;
/// errors of the communicator.
/// Cost: (p - 1)/p m β for equal parts, m elements in total; and ⌈log2 p⌉ α for short parts, (p - 1) α for long ones
/// and for parts with counts.
/// Source: every gather is a reversed scatter; the argument `algorithm` names either, and replaces tutti's choice.
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
