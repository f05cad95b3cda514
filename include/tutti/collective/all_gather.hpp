// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/collective.hpp>
#include <tutti/collective/divided.hpp>
#include <tutti/collective/forms.hpp>
#include <tutti/collective/refusal.hpp>

#define TUTTI_UNLESS_LINKED <tutti/selection/candidates/reduce_scatter.hpp>
#include <tutti/seam.hpp>

namespace tutti {

namespace overloads {

/// How `all_gather` may be called.
struct all_gather : divided<collective::all_gather> {
    template <class World>
    static constexpr void refuse() {
        static_assert(argument::never<World>,
                      "tutti: no such call; there are all_gather(world, in, out), (world, in, out, "
                      "counts), (world, inplace(x)), (world, pointer, count, pointer), each "
                      "with an algorithm at its end or without");
    }
};

}  // namespace overloads

/// out on every rank = in(0), in(1), …, in(p - 1), one after the other; in(r) is `in` on rank r and has `counts[r]`
/// elements. Without counts, all have the same number.
/// Requires: the same counts on all ranks, if any. Counts may be 0.
/// Result: on every rank. With `inplace(x)`, x is the whole vector with this rank's part in its place. A vector `out`
/// grows as in Boost.MPI, if `in` is one element, or pointer and count.
/// Order: nothing is combined: the bits are those of the input, for every algorithm.
/// Errors: std::invalid_argument before the first message if sizes and counts do not fit; errors of the communicator.
/// Cost: about ⌈log2 p⌉ α + (p - 1)/p m β for equal parts, m elements in total.
/// Source: every all_gather is a reversed reduce_scatter; the argument `algorithm` names either, and replaces tutti's
/// choice.
inline constexpr call_modes::blocking<overloads::all_gather> all_gather{};

namespace plan {
/// `tutti::all_gather` as a plan.
inline constexpr call_modes::persistent<overloads::all_gather> all_gather{};
}  // namespace plan

namespace async {
/// `tutti::all_gather`, started and not waited for.
inline constexpr call_modes::nonblocking<overloads::all_gather> all_gather{};
}  // namespace async

}  // namespace tutti
