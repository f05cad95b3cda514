// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <utility>

#include <tutti/generator/pattern/radix_levels.hpp>
#include <tutti/generator/recursive_multiplying.hpp>
#include <tutti/selection/call_parameters.hpp>
#include <tutti/selection/expected_time/pipelines.hpp>
#include <tutti/selection/message_costs.hpp>

namespace tutti {

/// Calls `visit(time, more)` for each round in which the parts of a group send each other whole vectors: what it takes,
/// and how much longer where parts differ and all are to know all, so that ranks of the smaller ones speak to one more.
template <class Visit>
void for_each_round(recursive_multiplying const& generator, call_parameters const& now, message_costs const& costs,
                    Visit visit) {
    auto const bytes = static_cast<double>(now.bytes);
    std::size_t group = now.size;
    for (auto const parts : radix_factors(now.size, generator.radix)) {
        auto const distance = (group - 1) / parts + 1;
        bool const uneven = distance * parts != std::exchange(group, distance);
        if (parts == 1) { continue; }
        bool const crowded = parts > 2 && costs.length(bytes) > now.link.overhead;
        auto const factors =
            now.contention_of_changing_partners(distance, crowded ? fitted_contention::of_several_ports : 1);
        visit(costs.round(parts - 1, bytes, factors), uneven ? costs.length(bytes, factors) : 0);
    }
}

}  // namespace tutti
