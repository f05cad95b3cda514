// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <type_traits>
#include <vector>

#include <tutti/generator/named.hpp>
#include <tutti/generator/pattern/arrival_order.hpp>
#include <tutti/generator/ring_of_starts.hpp>

namespace tutti::generators {

/// A pipeline through the ranks in the order of arrival, which the last one continues to all others.
///
/// The rank that arrives first starts all S segments. Those that are complete go on at once.
/// Operands are combined in the order of arrival. Errors: those of `check_arrivals`.
/// Cost: a transfer and combine of a segment takes tau; if one rank comes D later than all others, the last result is
/// there at max(2S+p-3, D/tau + S+p-1) tau for S >= p. To generate: O(p log p), and O(1) a step.
/// Source: [proficz18]. Counts of all_reduce: p - 3 + q + the larger of p and q | 2 m for p > 2 | m.
struct sorted_linear_tree {
    std::vector<double> arrivals{};  ///< when each rank is expected; none: all at once
    std::size_t segments = 0;        ///< 0: one per rank
    friend bool operator==(sorted_linear_tree const&, sorted_linear_tree const&) = default;
};

constexpr facts describe(collective::all_reduce, std::type_identity<sorted_linear_tree>) {
    return {.name = "sorted_linear_tree", .requires_commutative = true, .one_ported = false};
}

/// A block for each segment.
[[nodiscard]] inline std::size_t blocks_for(sorted_linear_tree const& known, std::size_t size, std::size_t /*bytes*/) {
    return known.segments != 0 ? known.segments : size;
}

/// The ring on positions, by order of arrival.
[[nodiscard]] inline ring_of_starts ring_by_arrival(sorted_linear_tree const& known, std::size_t size) {
    return {std::vector<std::size_t>(size, blocks_for(known, size, 0) - 1)};
}

[[nodiscard]] inline lazy_schedule generate(collective::all_reduce, sorted_linear_tree const& known,
                                            problem const& at) {
    auto const order = arrival_order("sorted_linear_tree", known.arrivals, at.size);
    return ring_through(order, ring_by_arrival(known, at.size).starts, at);
}

}  // namespace tutti::generators

namespace tutti {
using generators::sorted_linear_tree;
}  // namespace tutti
