// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/collective.hpp>
#include <tutti/collective/whole_vectors.hpp>
#include <tutti/collective/forms.hpp>

#define TUTTI_UNLESS_LINKED <tutti/selection/candidates/all_reduce.hpp>
#include <tutti/seam.hpp>

namespace tutti {

/// out on every rank = in(0) ⊕ in(1) ⊕ … ⊕ in(p - 1), element by element; in(r) is `in` on rank r.
/// Requires: ⊕ associative; the same number of elements on all ranks.
/// Result: on every rank, the same to the last bit (unless a named algorithm states otherwise). For a single value, the
/// call returns it: `sum = all_reduce(world, x, op)`.
/// Order: operands stay in rank order, unless the operator is known to commute and the algorithm uses that. The bits of
/// an element depend on the operands, p and the algorithm, and for some algorithms on its position in the vector.
/// tutti's choice depends on the list at `automatic`, the same on all ranks. With `reproducible{}` as algorithm, bits
/// depend on the operands and p alone.
/// Errors: std::invalid_argument before the first message if sizes do not fit; exceptions of ⊕ on the rank where it
/// throws, and `operand_missing` on ranks whose result lacks an operand because of it; errors of the communicator.
/// Cost: short vectors ⌈log2 p⌉ (α + (β + γ) m), long ones about 2 (p - 1) α + 2 m β + m γ.
/// Source: see the generator; the argument `algorithm` replaces tutti's choice.
inline constexpr call_modes::blocking<overloads::whole_vectors<collective::all_reduce>> all_reduce{};

namespace plan {
/// `tutti::all_reduce` as a plan.
inline constexpr call_modes::persistent<overloads::whole_vectors<collective::all_reduce>> all_reduce{};
}  // namespace plan

namespace async {
/// `tutti::all_reduce`, started and not waited for.
inline constexpr call_modes::nonblocking<overloads::whole_vectors<collective::all_reduce>> all_reduce{};
}  // namespace async

}  // namespace tutti
