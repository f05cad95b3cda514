// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>

#include <tutti/collective.hpp>
#include <tutti/generator/unfolded_multiplying.hpp>
#include <tutti/problem.hpp>
#include <tutti/selection/call_parameters.hpp>
#include <tutti/selection/expected_time/pipelines.hpp>
#include <tutti/selection/message_costs.hpp>

namespace tutti {

/// Each round takes as long as its ranks with the most messages: those of full groups, which get one of each other
/// group, or, where all are to know all, those of the last group, which may send several to each other one. Those of a
/// reduction send nothing meanwhile.
template <class Collective>
    requires(std::same_as<Collective, collective::reduce> || std::same_as<Collective, collective::all_reduce> ||
             collective::is_scan<Collective>)
[[nodiscard]] double time_of(Collective, unfolded_multiplying const& generator, message_costs const& costs,
                             call_parameters const& now) {
    constexpr bool one_way = std::same_as<Collective, collective::reduce>;
    constexpr bool to_all = std::same_as<Collective, collective::all_reduce> ||
                            std::same_as<Collective, collective::scan_reduce>;
    auto const bytes = static_cast<double>(now.bytes);
    auto const transfer_only = costs.without_combines();
    double result = 0, rounds = 0;
    std::size_t width = 1;
    for (auto const factor : group_factors(generator, now.size)) {
        bool const crowded = factor > 2 && costs.length(bytes) > now.link.overhead;
        auto const factors =
            now.contention_of_changing_partners(width, crowded ? fitted_contention::of_several_ports : 1);
        auto const messages = factor - 1;
        if (one_way) {
            result += costs.one_way(bytes, factors) + static_cast<double>(messages - 1) * costs.gap(bytes, factors);
        } else {
            result += costs.round(messages, bytes, factors);
        }
        auto const of_last = now.size % width;
        if (to_all && of_last != 0 && width * factor >= now.size) {
            auto const sent = messages * ((width - 1) / of_last + 1);
            result += static_cast<double>(sent - messages) * transfer_only.gap(bytes, factors);
        }
        width *= factor;
        ++rounds;
    }
    if (!collective::is_scan<Collective>) { return result; }
    // what comes twice in all rounds but the first and, unless all are to know all, the last
    return result + std::max(rounds - (std::same_as<Collective, collective::exclusive_scan> ? 2 : 1), 0.0) *
                        costs.combine(bytes);
}

}  // namespace tutti
