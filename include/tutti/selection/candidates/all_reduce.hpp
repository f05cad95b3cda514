// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>

#include <tutti/collective.hpp>
#include <tutti/cost/call_parameters.hpp>
#include <tutti/cost/price.hpp>
#include <tutti/generator.hpp>
#include <tutti/generator/direct_exchange.hpp>
#include <tutti/generator/hierarchical.hpp>
#include <tutti/generator/multi_lane.hpp>
#include <tutti/generator/pipeline.hpp>
#include <tutti/generator/recursive_multiplying.hpp>
#include <tutti/generator/ring.hpp>
#include <tutti/generator/split.hpp>
#include <tutti/selection/candidates.hpp>

namespace tutti::selection {

template <>
struct candidates_of<collective::all_reduce> {
    /// Those of leaders first: of equals, fewer ranks wait.
    [[gnu::cold]] static void add(candidate_list<collective::all_reduce>& result, call_parameters const& now,
                                  bool commutes) {
        if (now.nodes.divides(now.size)) { add_leaders(result, now); }
        // two ranks that read each other's vectors in place combine meanwhile, while these stay in a cache: 32 KiB take
        // two threads 1.3 us so and 1.7 us by direct_exchange, 512 KiB 19 and 16 us (AMD EPYC, 2026-12-01)
        bool const is_cached = now.size == 2 && now.reads_in_place() && now.bytes <= direct_exchange::default_part;
        auto const costs =
            is_cached ? pricing::message_costs::combining_lent(now) : pricing::message_costs::combining(now);
        for (auto const n : numbers_of_ports(now)) {
            recursive_multiplying const named{.radix = n + 1};
            result.add(named, time_of(collective::all_reduce{}, named, costs, now));
        }
        result.add(generators::best_split(now.size, [&](std::size_t halvings) {
            return pricing::expected_time(collective::all_reduce{}, split{.halvings = halvings}, now);
        }));
        // on more ranks the chain takes too long there and back
        if (now.size <= 4) { selection::add_each<pipeline>(result, now, commutes); }
        if (commutes) {
            selection::add_circulants(result, now);
            for (auto const n : cuts_of_parts(now)) { result.add(ring{.sub_segments = n}); }
        }
        // in a network all messages of a rank would share its link
        constexpr auto const& known = generators::facts_of<collective::all_reduce, direct_exchange>;
        if (now.reads_in_place() && known.supports(now.size)) { result.add(direct_exchange{}); }
        selection::add_node_aware(result, now, multi_lane{});
    }

private:
    [[gnu::cold]] static void add_leaders(candidate_list<collective::all_reduce>& result, call_parameters const& now) {
        auto const among_leaders = [&](std::size_t halvings) {
            return generators::split_among_leaders{.nodes = now.nodes, .across = {.halvings = halvings}};
        };
        auto const shares = generators::best_split(now.nodes.count(now.size), [&](std::size_t halvings) {
            return pricing::expected_time(collective::all_reduce{}, among_leaders(halvings), now);
        });
        selection::add_node_aware(result, now, hierarchical{}, among_leaders(*shares.halvings));
    }
};

}  // namespace tutti::selection
