// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <concepts>
#include <cstddef>

#include <tutti/collective.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/combinator/then.hpp>
#include <tutti/cost/call_parameters.hpp>
#include <tutti/cost/price.hpp>
#include <tutti/generator/butterfly.hpp>
#include <tutti/generator/hierarchical.hpp>
#include <tutti/generator/linear.hpp>
#include <tutti/generator/multi_lane.hpp>
#include <tutti/generator/pipeline.hpp>
#include <tutti/generator/ported_circulant.hpp>
#include <tutti/generator/postal_tree.hpp>
#include <tutti/generator/round_optimal.hpp>
#include <tutti/generator/two_tree.hpp>
#include <tutti/selection/candidates.hpp>

namespace tutti::selection {

/// Adds reduces in which every rank reduces its part and the root collects them: short ones by a tree, long ones one by
/// one, which is priced once for all of them.
template <class Ranking>
[[gnu::cold]] void add_by_parts(Ranking& result, pricing::message_costs const& costs, call_parameters const& now) {
    auto const part = now.bytes / now.size;
    if (now.size < 3 || part == 0) { return; }
    auto const transfer_only = pricing::message_costs::transfer_only(now);
    auto const collecting = [&](auto const& back) {
        auto const seconds = time_of(collective::gather{}, back, transfer_only, now);
        for (auto const ports : numbers_of_ports(now)) {
            ported_circulant const there{.ports = ports};
            result.add(generators::then(there, back),
                       time_of(collective::reduce_scatter{}, there, costs, now) + seconds);
        }
    };
    if (part > now.bytes_per_latency()) {
        collecting(reverse(linear{}));
    } else {
        collecting(reverse(generators::postal_tree_for(transfer_only, part)));
    }
}

template <class Collective>
    requires std::same_as<Collective, collective::reduce> || std::same_as<Collective, collective::broadcast>
struct candidates_of<Collective> {
    [[gnu::cold]] static void add(candidate_list<Collective>& result, call_parameters const& now, bool commutes) {
        constexpr bool combines = collective::combines<Collective>;
        auto const costs =
            combines ? pricing::message_costs::combining(now) : pricing::message_costs::transfer_only(now);
        result.add(generators::postal_tree_for(costs, now.bytes));
        selection::add_each<butterfly, pipeline, two_tree, round_optimal>(result, now, commutes);
        if (commutes || !combines) { selection::add_by_parts(result, costs, now); }
        if constexpr (combines) { selection::add_node_aware(result, now, hierarchical{}, multi_lane{}); }
    }
};

}  // namespace tutti::selection
