// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>

#include <tutti/collective.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/generator/unfolded_multiplying.hpp>
#include <tutti/selection/call_parameters.hpp>
#include <tutti/selection/expected_time/pipelines.hpp>
#include <tutti/selection/message_costs.hpp>

namespace tutti {

/// The way to the representative of a group of 2^height ranks, whose messages come one after another.
[[nodiscard]] inline double time_of(collective::reduce, unfolded_multiplying const& generator,
                                    message_costs const& costs, call_parameters const& now) {
    subgroups_of_reduction const groups{generator, now.size, 0};
    auto const bytes = static_cast<double>(now.bytes);
    dynamic_array<double> times{0.0};  // of groups of 1, 2, 4, ... ranks
    while (times.size() <= groups.all().height) {
        double ready = 0;
        for (std::size_t height = 0; height != times.size(); ++height) {
            auto const ranks = groups.sibling(0, height);
            auto const part = groups.height_of_part(height);
            auto const messages = ((ranks.last - ranks.first - 1) >> part) + 1;
            auto const factors = now.contention_of_changing_partners(ranks.first);
            auto const one = std::min(part, static_cast<std::size_t>(std::bit_width(ranks.last - ranks.first - 1)));
            auto const next = costs.gap(bytes, factors);
            ready = std::max(times[one] + costs.one_way(bytes, factors), ready + next) +
                    static_cast<double>(messages - 1) * next;
        }
        times.push_back(ready);
    }
    return times.back();
}

/// Each round takes as long as its ranks with the most messages, those that get one of each other group. Where all are
/// to know all, a last group of few ranks speaks to many, but has been ready for long; or those it speaks to tell others
/// of their own groups, beside all else that they send.
template <class Collective>
    requires(std::same_as<Collective, collective::all_reduce> || collective::is_scan<Collective>)
[[nodiscard]] double time_of(Collective, unfolded_multiplying const& generator, message_costs const& costs,
                             call_parameters const& now) {
    constexpr bool to_all =
        !std::same_as<Collective, collective::inclusive_scan> && !std::same_as<Collective, collective::exclusive_scan>;
    auto const bytes = static_cast<double>(now.bytes);
    auto const transfer_only = costs.without_combines();
    double result = 0, rounds = 0;
    dynamic_array<double> begins;  // of the rounds in which groups of one, two, ... ranks become one
    std::size_t width = 1;
    for (auto const factor : group_factors(generator, now.size)) {
        bool const crowded = factor > 2 && costs.length(bytes) > now.link.overhead;
        auto const factors =
            now.contention_of_changing_partners(width, crowded ? fitted_contention::of_several_ports : 1);
        auto const alone = now.contention_of_changing_partners(width);
        auto const of_last = now.size % width;
        begins.resize(static_cast<std::size_t>(std::bit_width(width)), result);
        result += costs.round(factor - 1, bytes, factors);
        if (to_all && of_last != 0) {
            auto const ready = begins[static_cast<std::size_t>(std::bit_width(of_last - 1))];
            merging_groups const seen{now.size - 1, now.size, width, factor, true};
            auto const others = seen.count() - 1;
            auto const further = (width - 1) / of_last;
            if (seen.relays) {
                result += static_cast<double>(further) * transfer_only.gap(bytes, alone);
            } else if (others != 0) {
                result = std::max(result, ready + costs.one_way(bytes, alone) +
                                              static_cast<double>(others * (further + 1) - 1) *
                                                  transfer_only.gap(bytes, alone));
            }
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
