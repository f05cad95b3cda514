// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/collective.hpp>
#include <tutti/collective/whole_vectors.hpp>
#include <tutti/collective/forms.hpp>

#define TUTTI_UNLESS_LINKED <tutti/selection/candidates/scan.hpp>
#include <tutti/seam.hpp>

namespace tutti {

/// out on rank r = in(0) ⊕ in(1) ⊕ … ⊕ in(r), element by element; in(r) is `in` on rank r.
/// Requires: ⊕ associative; the same number of elements on all ranks.
/// Result: on every rank its own. A single value may be given alone: `sum = inclusive_scan(world, x, op)`.
/// Order: operands stay in rank order. The bits of an element depend on the operands, on p and the algorithm and, of
/// some, on its place in the vector; tutti's choice depends on length, machine model and node map, and on nothing else.
/// With `reproducible{}` as algorithm they depend on the operands and on p alone.
/// Errors: std::invalid_argument before the first message for sizes that cannot be; what ⊕ throws, on the rank
/// where it throws, and `operand_missing` where a result is therefore missing; the communicator's errors.
/// Cost: short vectors ⌈log2 p⌉ (α + (β + 2γ) m), long ones about 2 m (β + γ) and 4 log2 p + 2n latencies in n
/// segments.
/// Source: see the generator; `algorithm` names one instead of tutti's choice.
inline constexpr call_modes::blocking<overloads::whole_vectors<collective::inclusive_scan>> inclusive_scan{};

/// Boost.MPI's name for `inclusive_scan`.
inline constexpr call_modes::blocking<overloads::whole_vectors<collective::inclusive_scan>> scan{};

/// out on rank r = in(0) ⊕ in(1) ⊕ … ⊕ in(r - 1), element by element; in(r) is `in` on rank r.
/// Requires: ⊕ associative; the same number of elements on all ranks. No identity.
/// Result: on every rank its own. Rank 0 gets the identity of ⊕ if it is known, see `with_identity`; otherwise its
/// `out` is not touched, as in MPI. A single value may be given alone, `offset = exclusive_scan(world, x, op)`, where
/// the identity is known: without it that is no call, since rank 0 would have no result.
/// Order: operands stay in rank order. The bits of an element depend on the operands, on p and the algorithm and, of
/// some, on its place in the vector; tutti's choice depends on length, machine model and node map, and on nothing else.
/// With `reproducible{}` as algorithm they depend on the operands and on p alone.
/// Errors: std::invalid_argument before the first message for sizes that cannot be; what ⊕ throws, on the rank
/// where it throws, and `operand_missing` where a result is therefore missing; the communicator's errors.
/// Cost: short vectors ⌈log2 p⌉ (α + (β + 2γ) m), long ones about 2 m (β + γ) and 4 log2 p + 2n latencies in n
/// segments.
/// Source: see the generator; `algorithm` names one instead of tutti's choice.
inline constexpr call_modes::blocking<overloads::whole_vectors<collective::exclusive_scan>> exclusive_scan{};

namespace plan {
/// `tutti::inclusive_scan` as a plan.
inline constexpr call_modes::persistent<overloads::whole_vectors<collective::inclusive_scan>> inclusive_scan{};
/// `tutti::exclusive_scan` as a plan.
inline constexpr call_modes::persistent<overloads::whole_vectors<collective::exclusive_scan>> exclusive_scan{};
}  // namespace plan

namespace async {
/// `tutti::inclusive_scan`, started and not waited for.
inline constexpr call_modes::nonblocking<overloads::whole_vectors<collective::inclusive_scan>> inclusive_scan{};
/// `tutti::exclusive_scan`, started and not waited for.
inline constexpr call_modes::nonblocking<overloads::whole_vectors<collective::exclusive_scan>> exclusive_scan{};
}  // namespace async

}  // namespace tutti
