// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <tutti/generator/named.hpp>
#include <tutti/generator/pattern/arrival_order.hpp>
#include <tutti/generator/ring_of_starts.hpp>

namespace tutti::generators {

/// A ring of the ranks in the order of arrival with S = cp segments: each rank starts v of them, the first the rest.
///
/// c is `sub_segments`, v is `started`: v = 1 costs little if all arrive at once, v = 0 is best if a rank is very late.
/// c = v = 1 is the ring in the order of arrival, v = 0 is sorted_linear_tree with cp segments. Only the
/// order of arrivals counts.
/// Segments are combined in the order of arrival from where they start.
/// Errors: those of `check_arrivals`; for sub_segments that are 0, and for started that is above them or above 64.
/// Cost: if a segment takes tau, and one of p >= 4 ranks comes D later than all others, the last result is there at
/// max(2S-2, D/tau + S+p-2) tau for v = 1, at max(2S+p-3, D/tau + S+p-1) tau for v = 0, where the ring takes
/// D + 2(p-1)c tau. There are c times as many messages as in the ring. To generate: O(p log p), and O(1) a step.
/// Source: new, between the ring of [thakur05] and the sorted linear tree of [proficz18].
/// Counts of all_reduce, q a multiple of p: 2 (q - 1) | 2 m (q - 1)/q for p > 2 | m (q - 1)/q.
struct front_loaded_ring {
    std::vector<double> arrivals{};  ///< when each rank is expected; none: all at once
    std::size_t sub_segments = 2;    ///< per rank
    std::size_t started = 1;         ///< of them by each rank but the first
    friend bool operator==(front_loaded_ring const&, front_loaded_ring const&) = default;
};

constexpr facts describe(collective::all_reduce, std::type_identity<front_loaded_ring>) {
    return {.name = "front_loaded_ring", .requires_commutative = true, .one_ported = false};
}

/// A block for each segment.
[[nodiscard]] inline std::size_t blocks_for(front_loaded_ring const& known, std::size_t size, std::size_t /*bytes*/) {
    return known.sub_segments * size;
}

/// The ring on positions, by order of arrival.
[[nodiscard]] inline ring_of_starts ring_by_arrival(front_loaded_ring const& known, std::size_t size) {
    std::vector<std::size_t> starts(size);
    for (std::size_t position = 0; position < size; ++position) {
        starts[position] = known.sub_segments * size - 1 - known.started * (size - 1 - position);
    }
    return {std::move(starts)};
}

[[nodiscard]] inline lazy_schedule generate(collective::all_reduce, front_loaded_ring const& known, problem const& at) {
    auto const order = arrival_order("front_loaded_ring", known.arrivals, at.size);
    if (known.sub_segments == 0) {
        throw std::invalid_argument{"tutti: front_loaded_ring needs at least one of sub_segments"};
    }
    if (known.started > known.sub_segments || known.started > schedules::send_window) {
        throw std::invalid_argument{"tutti: in front_loaded_ring each rank can start " +
                                    std::to_string(std::min(known.sub_segments, schedules::send_window)) +
                                    " segments at most, not " + std::to_string(known.started)};
    }
    return ring_through(order, ring_by_arrival(known, at.size).starts, at);
}

}  // namespace tutti::generators

namespace tutti {
using generators::front_loaded_ring;
}  // namespace tutti
