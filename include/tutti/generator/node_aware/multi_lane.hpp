// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>

#include <tutti/generator.hpp>
#include <tutti/generator/node_aware/hierarchical.hpp>
#include <tutti/generator/node_aware/least_volume.hpp>
#include <tutti/generator/node_aware/named_parts.hpp>
#include <tutti/generator/node_groups.hpp>
#include <tutti/generator/on_group.hpp>
#include <tutti/generator/reverse.hpp>
#include <tutti/generator/reduce/binomial.hpp>
#include <tutti/generator/steps_in_turn.hpp>
#include <tutti/node_map.hpp>

namespace tutti {

/// For long vectors: the w ranks of each node share out what the node combines to, `inside`; each lane, one rank of
/// every node, reduces or all_reduces its part, `across`; and the parts are collected on the root's node, or on every
/// node, `inside` reversed. All ranks talk to other nodes at once, each about 1/w of the vector.
///
/// Requires: nodes of w neighbouring ranks each; other orders of ranks by `in_node_order`.
/// Result: on the root, or on every rank, x_0 ⊕ ... ⊕ x_{p-1}, any root, operands in order if `inside` and `across`
/// keep it. Reversed, a broadcast. See also multi_lane_reduce_scatter.hpp and multi_lane_scan.hpp.
/// Errors: std::invalid_argument, when schedules are generated, for a map of another number of ranks, for other nodes,
/// and for numbers that `inside` or `across` does not support; `fits` tells beforehand.
/// Cost of an all_reduce for N nodes, messages of α₁ + β₁m on a node, of α + βm between nodes, and even parts:
/// 2⌈log2 w⌉ α₁ + (w-1)/w m (2β₁ + γ) + (2⌈log2 N⌉ - 1) α + (2β + γ) m/w, if lanes do not get in each other's way;
/// a node sends and receives at most 2m in all. To generate: what the parts cost, for lanes that are cut differently
/// once more each.
/// Source: Träff and Hunold, Decomposing MPI Collectives for Exploiting Multi-lane Communication (full-lane).
template <class Inside, class Across>
struct multi_lane_of {
    node_map nodes{};
    Inside inside{};
    Across across{};
    friend bool operator==(multi_lane_of const&, multi_lane_of const&) = default;
};

using multi_lane = multi_lane_of<least_volume, least_volume>;

/// Whether schedules can be generated for so many ranks.
template <class Inside, class Across>
[[nodiscard, gnu::cold]] bool fits(multi_lane_of<Inside, Across> const& generator, std::size_t size) {
    return has_lanes(generator.nodes, size);
}

/// Algorithms for the reduce_scatter inside and for `Collective` across nodes.
template <class Collective, class Inside, class Across>
concept combinable_in_lanes =
    reduction<Collective> && generator_for<Inside, collective::reduce_scatter> && generator_for<Across, Collective>;

template <class Collective, class Inside, class Across>
    requires combinable_in_lanes<Collective, Inside, Across>
constexpr facts describe(Collective, std::type_identity<multi_lane_of<Inside, Across>>) {
    return facts_in_turn("multi_lane", {facts_of<collective::reduce_scatter, Inside>, facts_of<Collective, Across>});
}

template <class Collective, class Inside, class Across>
    requires combinable_in_lanes<Collective, Inside, Across>
[[nodiscard, gnu::cold]] std::string name_of(Collective which, multi_lane_of<Inside, Across> const& all) {
    return name_with_parts<multi_lane>("multi_lane", all, collective::reduce_scatter{}, which);
}

/// As many blocks for each lane as one of the algorithms wants.
template <class OfLane, class Inside, class Across>
[[nodiscard, gnu::cold]] std::size_t blocks_of_lanes(OfLane across, multi_lane_of<Inside, Across> const& all,
                                                     std::size_t size, std::size_t bytes) {
    all.nodes.check(size);
    auto const width = all.nodes.ranks_on(0, size);
    auto const inside = blocks_for(collective::reduce_scatter{}, all.inside, width, bytes);
    return width * std::max((inside + width - 1) / width,
                            blocks_for(across, all.across, all.nodes.count(size), bytes / width));
}

template <class Collective, class Inside, class Across>
    requires combinable_in_lanes<Collective, Inside, Across>
[[nodiscard, gnu::cold]] std::size_t blocks_for(Collective which, multi_lane_of<Inside, Across> const& all,
                                                std::size_t size, std::size_t bytes) {
    return blocks_of_lanes(which, all, size, bytes);
}

template <class Collective, class Inside, class Across>
    requires combinable_in_lanes<Collective, Inside, Across>
[[nodiscard, gnu::cold]] lazy_schedule generate(Collective which, multi_lane_of<Inside, Across> const& all,
                                                problem const& at) {
    check_lanes(all.nodes, at.size);
    same_node const inside{all.nodes};
    steps_in_turn steps{at.blocks};
    steps.append(generate(collective::reduce_scatter{}, on_group(inside, all.inside), at));
    steps.append(generate(which, on_group(lanes{all.nodes}, all.across), at));
    if constexpr (std::same_as<Collective, collective::all_reduce>) {
        steps.append(generate(collective::all_gather{}, on_group(inside, reverse(all.inside)), at));
    } else {
        steps.append(generate(collective::gather{}, on_group(root_node{all.nodes}, reverse(binomial{})), at));
    }
    return std::move(steps).as_schedule();
}

}  // namespace tutti
