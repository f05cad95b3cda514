// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <limits>
#include <optional>

#include <tutti/generator/direct_exchange.hpp>
#include <tutti/generator/recursive_multiplying.hpp>
#include <tutti/generator/ring.hpp>
#include <tutti/generator/split.hpp>
#include <tutti/problem.hpp>
#include <tutti/selection/call_parameters.hpp>
#include <tutti/selection/expected_time/exchange_rounds.hpp>
#include <tutti/selection/expected_time/halving_cost.hpp>
#include <tutti/selection/expected_time/parts.hpp>
#include <tutti/selection/message_costs.hpp>

namespace tutti {

/// Whole vectors, from all other parts of a group at once.
[[nodiscard, gnu::cold]] inline double time_of(collective::all_reduce, recursive_multiplying const& generator,
                                               message_costs const& costs, call_parameters const& now) {
    double result = 0;
    for_each_round(generator, now, costs, [&](double time, double more) { result += time + more; });
    return result;
}

/// As many halvings as pay: each saves the fewer bytes the more there have been.
template <class TimeOfHalvings>
[[nodiscard, gnu::cold]] split best_split(std::size_t size, TimeOfHalvings time_of_halvings) {
    auto least = std::numeric_limits<double>::infinity();
    std::size_t best = 0;
    // ranks that share the work of pairs share the vector at least once
    for (std::size_t halvings = std::has_single_bit(size) ? 0 : 1; halvings <= static_cast<std::size_t>(log2_of(size));
         ++halvings) {
        auto const time = time_of_halvings(halvings);
        if (time < least) {
            least = time;
            best = halvings;
        }
    }
    return {.halvings = best};
}

[[nodiscard, gnu::cold]] inline double time_of(collective::all_reduce, split const& generator,
                                               message_costs const& costs, call_parameters const& now) {
    halving_cost const levels{generator.halvings.value_or(0), costs, now};
    return levels.reduce_scatter_time() + levels.all_gather_time();
}

/// A rank combines its part of all vectors, and then reads those of the others. What it has combined so far stays in
/// its cache. Every stretch but the first adds messages, and no bytes.
[[nodiscard, gnu::cold]] inline double time_of(collective::all_reduce, direct_exchange const& generator,
                                               message_costs const&, call_parameters const& now) {
    auto const combining = message_costs::combining_in_place(now);
    auto const transfer_only = message_costs::transfer_only(now);
    auto const factors = now.mean_contention();
    auto const part = part_of(now);
    auto const further = blocks_for(generator, now.size, now.bytes) / now.size - 1;
    return combining.round(now.size - 1, part, factors) + transfer_only.round(now.size - 1, part, factors) +
           static_cast<double>(further) * 2 * transfer_only.round(now.size - 1, 0, factors);
}

/// The longest exchanges are the first, between neighbours.
[[nodiscard, gnu::cold]] inline double time_of(collective::reduce_scatter, split const&, message_costs const& costs,
                                               call_parameters now) {
    now.bytes = now.size * static_cast<std::size_t>(part_of(now));
    return halving_cost{static_cast<std::size_t>(log2_of(now.size)), costs, now}.reduce_scatter_time();
}

/// Neighbours only, there and back.
[[nodiscard, gnu::cold]] inline double time_of(collective::all_reduce, ring const& generator,
                                               message_costs const& costs, call_parameters const& now) {
    return time_of_shifts(generator.sub_segments, costs, now) +
           time_of_shifts(generator.sub_segments, costs.without_combines(), now);
}

}  // namespace tutti
