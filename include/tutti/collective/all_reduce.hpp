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
/// Result: on every rank, the same to the last bit (unless an algorithm is named that states otherwise). A single
/// value may be given alone: `sum = all_reduce(world, x, op)`.
/// Order: operands stay in rank order, unless the operator is known to commute and the algorithm makes use of it.
/// The bits of an element depend on the operands, on p and the algorithm and, of some, on its place in the vector;
/// tutti's choice depends on what is listed at `automatic`, on all ranks alike.
/// With `reproducible{}` as algorithm they depend on the operands and on p alone.
/// Errors: std::invalid_argument before the first message for sizes that cannot be; what ⊕ throws, on the rank
/// where it throws, and `operand_missing` where a result is therefore missing; the communicator's errors.
/// Cost: short vectors ⌈log2 p⌉ (α + (β + γ) m), long ones about 2 (p - 1) α + 2 m β + m γ.
/// Source: see the generator; `algorithm` names one instead of tutti's choice.
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
