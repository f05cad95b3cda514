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
/// Result: its own on every rank. For a single value, the call returns it: `sum = inclusive_scan(world, x, op)`.
/// Order: operands stay in rank order. The bits of an element depend on the operands, p and the algorithm, and for some
/// algorithms on its position in the vector. tutti's choice depends on length, machine model and node map alone. With
/// `reproducible{}` as algorithm, bits depend on the operands and p alone.
/// Errors: std::invalid_argument before the first message if sizes do not fit; exceptions of ⊕ on the rank where it
/// throws, and `operand_missing` on ranks whose result lacks an operand because of it; errors of the communicator.
/// Cost: short vectors ⌈log2 p⌉ (α + (β + 2γ) m), long ones about 2 m (β + γ) and 4 log2 p + 2n latencies in n
/// segments.
/// Source: see the generator; the argument `algorithm` replaces tutti's choice.
inline constexpr call_modes::blocking<overloads::whole_vectors<collective::inclusive_scan>> inclusive_scan{};

/// Boost.MPI's name for `inclusive_scan`.
inline constexpr call_modes::blocking<overloads::whole_vectors<collective::inclusive_scan>> scan{};

/// out on rank r = in(0) ⊕ in(1) ⊕ … ⊕ in(r - 1), element by element; in(r) is `in` on rank r.
/// Requires: ⊕ associative; the same number of elements on all ranks. It needs no identity.
/// Result: its own on every rank. Rank 0 gets the identity of ⊕ if it is known, see `with_identity`; otherwise its
/// `out` is unchanged, as in MPI. For a single value, the call returns it: `offset = exclusive_scan(world, x, op)`.
/// Without an identity this form does not compile, since rank 0 would have no result.
/// Order: operands stay in rank order. The bits of an element depend on the operands, p and the algorithm, and for some
/// algorithms on its position in the vector. tutti's choice depends on length, machine model and node map alone. With
/// `reproducible{}` as algorithm, bits depend on the operands and p alone.
/// Errors: std::invalid_argument before the first message if sizes do not fit; exceptions of ⊕ on the rank where it
/// throws, and `operand_missing` on ranks whose result lacks an operand because of it; errors of the communicator.
/// Cost: short vectors ⌈log2 p⌉ (α + (β + 2γ) m), long ones about 2 m (β + γ) and 4 log2 p + 2n latencies in n
/// segments.
/// Source: see the generator; the argument `algorithm` replaces tutti's choice.
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
