// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>

#include <tutti/generator.hpp>
#include <tutti/generator/node_aware/fewest_rounds.hpp>
#include <tutti/generator/node_aware/named_parts.hpp>
#include <tutti/generator/node_groups.hpp>
#include <tutti/generator/on_group.hpp>
#include <tutti/generator/reverse.hpp>
#include <tutti/generator/steps_in_turn.hpp>
#include <tutti/node_map.hpp>

namespace tutti {

/// For short vectors: each node reduces to its leader, `inside`; the leaders reduce or all_reduce, `across`; and the
/// leaders broadcast, `inside` reversed. The root leads its node, the first rank any other.
///
/// Requires: nodes of neighbouring ranks, of any sizes; others by `in_node_order`.
/// Result: on the root, or on every rank, x_0 ⊕ ... ⊕ x_{p-1}, any root, operands in order if `inside` and `across`
/// keep it. Reversed, a broadcast. Scans: see hierarchical_scan.hpp.
/// Errors: std::invalid_argument, when schedules are generated, for a map of another number of ranks, for nodes whose
/// ranks are no neighbours, and for numbers that `inside` or `across` does not support; `fits` tells beforehand.
/// Cost for N nodes of w ranks, messages of α₁ + β₁m on a node, of α + βm between nodes:
/// ⌈log2 w⌉ (α₁ + (β₁+γ)m) + ⌈log2 N⌉ (α + (β+γ)m), for an all_reduce ⌈log2 w⌉ (α₁ + β₁m) and perhaps a round between
/// nodes more. A node sends and receives one message at a time. To generate: what the parts cost.
/// Source: Träff and Hunold, Decomposing MPI Collectives for Exploiting Multi-lane Communication (hierarchical).
template <class Inside, class Across>
struct hierarchical_of {
    node_map nodes{};
    Inside inside{};
    Across across{};
    friend bool operator==(hierarchical_of const&, hierarchical_of const&) = default;
};

using hierarchical = hierarchical_of<fewest_rounds, fewest_rounds>;

/// Whether schedules can be generated for so many ranks.
template <class Inside, class Across>
[[nodiscard, gnu::cold]] bool fits(hierarchical_of<Inside, Across> const& generator, std::size_t size) {
    return has_neighbours_on_nodes(generator.nodes, size);
}

template <class Collective>
concept reduction = std::same_as<Collective, collective::reduce> || std::same_as<Collective, collective::all_reduce>;

/// Algorithms for the reductions inside and for `Collective` across nodes.
template <class Collective, class Inside, class Across>
concept combinable_through_leaders =
    reduction<Collective> && generator_for<Inside, collective::reduce> && generator_for<Across, Collective>;

template <class Collective, class Inside, class Across>
    requires combinable_through_leaders<Collective, Inside, Across>
constexpr facts describe(Collective, std::type_identity<hierarchical_of<Inside, Across>>) {
    return facts_in_turn("hierarchical", {facts_of<collective::reduce, Inside>, facts_of<Collective, Across>});
}

template <reduction Collective, class Inside, class Across>
[[nodiscard, gnu::cold]] std::string name_of(Collective which, hierarchical_of<Inside, Across> const& all) {
    return name_with_parts<hierarchical>("hierarchical", all, collective::reduce{}, which);
}

template <class Collective, class Inside, class Across>
    requires combinable_through_leaders<Collective, Inside, Across>
[[nodiscard, gnu::cold]] std::size_t blocks_for(Collective which, hierarchical_of<Inside, Across> const& all,
                                                std::size_t size, std::size_t bytes) {
    all.nodes.check(size);
    return std::max(blocks_for(collective::reduce{}, all.inside, all.nodes.ranks_on(0, size), bytes),
                    blocks_for(which, all.across, all.nodes.count(size), bytes));
}

template <class Collective, class Inside, class Across>
    requires combinable_through_leaders<Collective, Inside, Across>
[[nodiscard, gnu::cold]] lazy_schedule generate(Collective which, hierarchical_of<Inside, Across> const& all,
                                                problem const& at) {
    same_node const inside{all.nodes};
    steps_in_turn steps{at.blocks};
    steps.append(generate(collective::reduce{}, on_group(inside, all.inside), at));
    steps.append(generate(which, on_group(node_leaders{all.nodes}, all.across), at));
    if constexpr (std::same_as<Collective, collective::all_reduce>) {
        steps.append(generate(collective::broadcast{}, on_group(inside, reverse(all.inside)), at));
    }
    return std::move(steps).as_schedule();
}

}  // namespace tutti
