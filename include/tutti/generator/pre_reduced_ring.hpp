// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

#include <tutti/generator/named.hpp>
#include <tutti/generator/pattern/arrival_order.hpp>
#include <tutti/generator/ring_of_starts.hpp>

namespace tutti::generators {

/// A ring of the ranks in the order of arrival, in which early ranks begin before the last one has arrived.
///
/// Meanwhile each position reduces `pre_steps` segments. If all arrive at once, that is none, and this
/// is `ring`. The last rank ends when it does with `ring`. Others end earlier: if the estimates are right, in the mean
/// by (p-2)(p-3)/(2p) tau for one very late rank.
/// Segments are combined in the order of arrival from where they start.
/// Errors: those of `check_arrivals`, and for a tau that is not positive.
/// Cost: 2(p-1) tau after the last arrival. To generate: O(p log p), and O(1) a step.
/// Source: [proficz18].
/// Counts of all_reduce: 2 (p - 1) if all arrive at once, else up to p - 2 more | at most 2 m | at most m.
struct pre_reduced_ring {
    std::vector<double> arrivals{};  ///< when each rank is expected; none: all at once
    double tau = 1;                  ///< time to send a segment, the p-th part of the vector, and to combine it
    friend bool operator==(pre_reduced_ring const&, pre_reduced_ring const&) = default;
};

constexpr facts describe(collective::all_reduce, std::type_identity<pre_reduced_ring>) {
    return {.name = "pre_reduced_ring", .requires_commutative = true};
}

/// One block per rank.
[[nodiscard]] constexpr std::size_t blocks_for(pre_reduced_ring const&, std::size_t size, std::size_t /*bytes*/) {
    return size;
}

/// How many segments each position can reduce while the last rank is awaited; `arrivals` must be sorted.
///
/// k_{P-1} = 0; k_p = k_{p+1} + 1 if position p+1 has time for a receive and for its own k_{p+1} steps before the last
/// arrival, which is if a_{P-1} - a_{p+1} >= (k_{p+1} + 1) tau; otherwise k_p = k_{p+1}.
[[nodiscard]] inline std::vector<std::size_t> pre_steps(std::vector<double> const& arrivals, double tau) {
    std::vector<std::size_t> steps(arrivals.size(), 0);
    for (auto position = arrivals.size(); position-- > 1;) {
        auto const more = steps[position] + 1;
        auto const has_time = arrivals.back() - arrivals[position] >= static_cast<double>(more) * tau;
        steps[position - 1] = has_time ? more : steps[position];
    }
    return steps;
}

/// The ring on positions, by order of arrival.
[[nodiscard]] inline ring_of_starts ring_by_arrival(pre_reduced_ring const& known, std::size_t size) {
    auto sorted = known.arrivals;
    std::sort(sorted.begin(), sorted.end());
    sorted.resize(size);  // where nothing is known all arrive at 0
    auto starts = pre_steps(sorted, known.tau);
    for (std::size_t position = 0; position < size; ++position) { starts[position] += position; }
    return {std::move(starts)};
}

[[nodiscard]] inline lazy_schedule generate(collective::all_reduce, pre_reduced_ring const& known, problem const& at) {
    auto const order = arrival_order("pre_reduced_ring", known.arrivals, at.size);
    check_tau("pre_reduced_ring", known.tau);
    return ring_through(order, ring_by_arrival(known, at.size).starts, at);
}

}  // namespace tutti::generators

namespace tutti {
using generators::pre_reduced_ring;
}  // namespace tutti
