// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <concepts>

#include <tutti/collective.hpp>
#include <tutti/cost/call_parameters.hpp>
#include <tutti/generator/bucket.hpp>
#include <tutti/generator/multi_lane.hpp>
#include <tutti/generator/round_optimal.hpp>
#include <tutti/generator/split.hpp>
#include <tutti/selection/candidates.hpp>

namespace tutti::selection {

/// A part much longer than the others would travel whole in every round; cut into blocks it goes from rank to rank.
[[nodiscard, gnu::cold]] inline bool is_skewed(call_parameters const& now) {
    return now.longest_part > generators::default_segment && now.longest_part > 2 * (now.bytes / now.size);
}

template <class Collective>
    requires std::same_as<Collective, collective::reduce_scatter> || std::same_as<Collective, collective::all_gather>
struct candidates_of<Collective> {
    [[gnu::cold]] static void add(candidate_list<Collective>& result, call_parameters const& now, bool commutes) {
        constexpr bool combines = collective::combines<Collective>;
        // split takes on a power of two as long as a circulant, but fewer of its messages share a link of a fat tree
        if (combines) { selection::add_each<split>(result, now, commutes); }
        if (commutes || !combines) {
            selection::add_circulants(result, now);
            for (auto const n : cuts_of_parts(now)) { result.add(bucket{.segments = n}); }
        }
        if (!combines) { selection::add_each<split>(result, now, commutes); }
        if (is_skewed(now) && (commutes || !combines)) { result.add(round_optimal{}); }
        if constexpr (combines) { selection::add_node_aware(result, now, multi_lane{}); }
    }
};

}  // namespace tutti::selection
