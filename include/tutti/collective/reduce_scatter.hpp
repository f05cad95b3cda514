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

/// How `reduce_scatter` may be called.
struct reduce_scatter : divided<collective::reduce_scatter> {
    template <class World>
    static constexpr void refuse() {
        static_assert(argument::never<World>,
                      "tutti: no such call; there are reduce_scatter(world, in, out, op), (world, in, "
                      "out, counts, op), (world, inplace(x), op), (world, inplace(x), counts, "
                      "op), each with an algorithm at its end or without");
    }
};

}  // namespace overloads

/// out on rank r = part r of in(0) ⊕ in(1) ⊕ … ⊕ in(p - 1), element by element; in(s) is `in` on rank s. Part r has the
/// `counts[r]` elements that follow part r - 1. Without counts, all parts have the size of `out`.
/// Requires: ⊕ associative; the same number of elements and the same counts on all ranks. Counts may be 0.
/// Result: its part on every rank. With `inplace(x)` it is at the beginning of x, and the rest of x is unchanged.
/// Order: operands stay in rank order, unless the operator is known to commute and the algorithm uses that. The bits of
/// an element depend on the operands, p and the algorithm, and for some algorithms on its position in the vector.
/// tutti's choice depends on the list at `automatic`, the same on all ranks. With `reproducible{}` as algorithm, bits
/// depend on the operands and p alone.
/// Errors: std::invalid_argument before the first message if sizes and counts do not fit; exceptions of ⊕ on the rank
/// where it throws, and `operand_missing` on ranks whose result lacks an operand because of it; errors of the
/// communicator.
/// Cost: about ⌈log2 p⌉ α + (p - 1)/p m (β + γ) for equal parts, m elements in total. A call in place needs memory for
/// one more part, which is copied to x at the end.
/// Source: see the generator; the argument `algorithm` replaces tutti's choice.
inline constexpr call_modes::blocking<overloads::reduce_scatter> reduce_scatter{};

namespace plan {
/// `tutti::reduce_scatter` as a plan.
inline constexpr call_modes::persistent<overloads::reduce_scatter> reduce_scatter{};
}  // namespace plan

namespace async {
/// `tutti::reduce_scatter`, started and not waited for.
inline constexpr call_modes::nonblocking<overloads::reduce_scatter> reduce_scatter{};
}  // namespace async

}  // namespace tutti
