// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <string_view>

#include <tutti/collective.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/combinator/then.hpp>
#include <tutti/cost/call_parameters.hpp>
#include <tutti/cost/price.hpp>
#include <tutti/generator/alternating_tree.hpp>
#include <tutti/generator/binary_blocks.hpp>
#include <tutti/generator/binomial.hpp>
#include <tutti/generator/butterfly.hpp>
#include <tutti/generator/held_algorithm.hpp>
#include <tutti/generator/hierarchical.hpp>
#include <tutti/generator/multi_lane.hpp>
#include <tutti/generator/named.hpp>
#include <tutti/generator/postal_tree.hpp>
#include <tutti/generator/scan_and_broadcast.hpp>
#include <tutti/generator/split.hpp>
#include <tutti/generator/transposed_scan.hpp>
#include <tutti/generator/two_tree.hpp>
#include <tutti/generator/unfolded_multiplying.hpp>
#include <tutti/selection/algorithm.hpp>
#include <tutti/selection/candidates.hpp>
#include <tutti/selection/planner.hpp>

/// The algorithms among which `reproducible` chooses: `canonical(Collective, call_parameters)`. A test proves that the
/// terms of all of them are the canonical tree.
namespace tutti::selection {

/// Whether ranks that fold in pairs, until their number is a power of two, bracket canonically: where p is 2^a or
/// 2^a - 2^b.
[[nodiscard]] constexpr bool folds_canonically(std::size_t size) {
    return std::has_single_bit(size + (size & (~size + 1)));
}

/// Whether nodes hold 2^k neighbouring ranks each, the last one perhaps fewer: subtrees of the canonical tree.
[[nodiscard]] inline bool nodes_are_subtrees(node_map const& nodes, std::size_t size) {
    if (!nodes.divides(size) || !generators::has_neighbours_on_nodes(nodes, size)) { return false; }
    auto const width = nodes.ranks_on(0, size);
    if (!std::has_single_bit(width)) { return false; }
    auto const count = nodes.count(size);
    for (std::size_t node = 1; node + 1 < count; ++node) {
        if (nodes.ranks_on(node, size) != width) { return false; }
    }
    return nodes.ranks_on(count - 1, size) <= width;
}

/// Adds the node-aware generators if nodes are subtrees of the canonical tree, and nodes that fold are, too.
template <class Ranking, class... NodeAware>
void add_canonical_on_nodes(Ranking& result, call_parameters const& now, NodeAware... generators) {
    if (nodes_are_subtrees(now.nodes, now.size) && folds_canonically(now.nodes.count(now.size))) {
        selection::add_node_aware(result, now, generators...);
    }
}

/// Adds unfolded_multiplying with each radix up to `most_ports` + 1 that needs fewer levels than the one below.
template <class Ranking>
void add_unfolded(Ranking& result, std::size_t size) {
    std::size_t fewest = size;
    for (std::size_t radix = 2; radix <= most_ports + 1 && fewest > 1; ++radix) {
        auto const levels = generators::group_factors(unfolded_multiplying{.radix = radix}, size).size();
        if (levels < fewest) {
            fewest = levels;
            result.add(unfolded_multiplying{.radix = radix});
        }
    }
}

template <std::same_as<collective::reduce> Collective>
[[nodiscard]] candidate_list<Collective> canonical(Collective, call_parameters const& now) {
    candidate_list<Collective> result{now};
    selection::add_unfolded(result, now.size);
    if (folds_canonically(now.size)) { result.add(butterfly{}); }
    result.add(binary_blocks{});
    result.add_in_segments([](std::size_t n) { return alternating_tree{.segments = n}; });
    selection::add_canonical_on_nodes(result, now, hierarchical{}, multi_lane{});
    return result;
}

template <std::same_as<collective::all_reduce> Collective>
[[nodiscard]] candidate_list<Collective> canonical(Collective which, call_parameters const& now) {
    candidate_list<Collective> result{now};
    if (folds_canonically(now.size)) {
        result.add(generators::best_split(now.size, [&](std::size_t halvings) {
            return pricing::expected_time(which, split{.halvings = halvings}, now);
        }));
    }
    selection::add_unfolded(result, now.size);
    result.add(
        then(binomial{}, reverse(generators::postal_tree_for(pricing::message_costs::transfer_only(now), now.bytes))));
    result.add(binary_blocks{});
    result.add_in_segments([](std::size_t n) { return alternating_tree{.segments = n}; });
    selection::add_canonical_on_nodes(result, now, hierarchical{}, multi_lane{});
    return result;
}

template <collective::scan_collective Scan>
[[nodiscard]] candidate_list<Scan> canonical(Scan, call_parameters const& now) {
    candidate_list<Scan> result{now};
    selection::add_unfolded(result, now.size);
    if constexpr (std::same_as<Scan, collective::scan_reduce>) {
        result.add(scan_and_broadcast{
            reverse(generators::postal_tree_for(pricing::message_costs::transfer_only(now), now.bytes))});
        result.add_in_segments([](std::size_t n) { return scan_and_broadcast{reverse(two_tree{.segments = n})}; });
    }
    result.add(transposed_scan{.keeps_rounds = now.machine->slowest_route == 1 && !now.on_one_node()});
    return result;
}

template <std::same_as<collective::reduce_scatter> Collective>
[[nodiscard]] candidate_list<Collective> canonical(Collective, call_parameters const& now) {
    candidate_list<Collective> result{now};
    if (folds_canonically(now.size)) { result.add(split{}); }
    result.add(binary_blocks{});
    selection::add_canonical_on_nodes(result, now, multi_lane{});
    return result;
}

/// Calls `use(Collective)` for the collective of that name; false if there is none.
template <class Use>
bool with_collective(std::string_view name, Use use) {
    return [&]<class... Collectives>(collective::list<Collectives...>) {
        return ((name == Collectives::name && (use(Collectives{}), true)) || ...);
    }(collective::all{});
}

inline constexpr std::string_view why_reproducible =
    "expected to take the least time of those whose terms are the canonical tree";

template <class Collective>
class held_reproducible final : public held_generator<Collective> {
public:
    [[nodiscard]] bool is(void const* /*named*/) const override { return true; }
    [[nodiscard]] picked_generator<Collective> pick(call_parameters const& now) const override {
        return {selection::canonical(Collective{}, now).best().generator, why_reproducible};
    }
    [[nodiscard]] generator_choice<Collective> choice(call_parameters const& now) const override {
        return {selection::canonical(Collective{}, now).best_first(), true};
    }
};

template <class>
struct canonical_is_included {};

template <class Collective>
held_algorithm* hold_reproducible_for(void const* /*named*/) {
    return new held_reproducible<Collective>;
}

/// The same for calls that name no algorithm; null where nothing is combined.
template <class>
held_algorithm* hold_reproducible(planned_call const& call, void const* /*names*/) {
    held_algorithm* result = nullptr;
    selection::with_collective(call.kind->collective, [&]<class Collective>(Collective) {
        if constexpr (collective::combines<Collective>) { result = selection::hold_reproducible_for<Collective>({}); }
    });
    return result;
}

}  // namespace tutti::selection
