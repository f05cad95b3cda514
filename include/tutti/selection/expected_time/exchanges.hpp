// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <limits>
#include <optional>

#include <tutti/generator/all_reduce/direct_exchange.hpp>
#include <tutti/generator/all_reduce/recursive_multiplying.hpp>
#include <tutti/generator/all_reduce/ring.hpp>
#include <tutti/generator/all_reduce/split.hpp>
#include <tutti/generator/reduce_scatter/split.hpp>
#include <tutti/problem.hpp>
#include <tutti/selection/expected_time/leaf_levels.hpp>
#include <tutti/selection/expected_time/part_rounds.hpp>
#include <tutti/selection/expected_time/parts.hpp>
#include <tutti/selection/message_costs.hpp>
#include <tutti/selection/situation.hpp>

namespace tutti {

/// Whole vectors, from all other parts of a group at once.
[[nodiscard, gnu::cold]] inline double time_of(collective::all_reduce, recursive_multiplying const& generator,
                                               message_costs const& costs, situation const& now) {
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
                                               message_costs const& costs, situation const& now) {
    leaf_levels const levels{generator.halvings.value_or(0), costs, now};
    return levels.there() + levels.back();
}

/// A rank combines its part of all vectors, and then reads those of the others. What it has combined so far stays in
/// its cache. Every stretch but the first adds messages, and no bytes.
[[nodiscard, gnu::cold]] inline double time_of(collective::all_reduce, direct_exchange const& generator,
                                               message_costs const&, situation const& now) {
    auto const combining = message_costs::combining_in_place(now);
    auto const keeping = message_costs::keeping(now);
    auto const crowd = now.at_any_distance();
    auto const part = part_of(now);
    auto const further = blocks_for(generator, now.size, now.bytes) / now.size - 1;
    return combining.round(now.size - 1, part, crowd) + keeping.round(now.size - 1, part, crowd) +
           static_cast<double>(further) * 2 * keeping.round(now.size - 1, 0, crowd);
}

/// The longest exchanges are the first, between neighbours.
[[nodiscard, gnu::cold]] inline double time_of(collective::reduce_scatter, split const&, message_costs const& costs,
                                               situation now) {
    now.bytes = now.size * static_cast<std::size_t>(part_of(now));
    return leaf_levels{static_cast<std::size_t>(log2_of(now.size)), costs, now}.there();
}

/// Neighbours only, there and back.
[[nodiscard, gnu::cold]] inline double time_of(collective::all_reduce, ring const& generator,
                                               message_costs const& costs, situation const& now) {
    return time_of_shifts(generator.sub_segments, costs, now) +
           time_of_shifts(generator.sub_segments, costs.without_combines(), now);
}

}  // namespace tutti
