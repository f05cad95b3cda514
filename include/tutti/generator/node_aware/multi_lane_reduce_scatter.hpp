// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>

#include <tutti/generator.hpp>
#include <tutti/generator/axis.hpp>
#include <tutti/generator/node_aware/multi_lane.hpp>
#include <tutti/generator/on_group.hpp>
#include <tutti/generator/super_blocks.hpp>

namespace tutti {

/// Algorithms for a reduce_scatter inside and one across nodes.
template <class Inside, class Across>
concept scatterable_in_lanes =
    generator_for<Inside, collective::reduce_scatter> && generator_for<Across, collective::reduce_scatter>;

/// A reduce_scatter by `multi_lane`: each node reduces to its rank j what belongs to the ranks of lane j, on all nodes;
/// these parts are reduced to their owners in each lane.
///
/// Result: on each rank its part of x_0 ⊕ ... ⊕ x_{p-1}, operands in order if `inside` and `across` keep it. Reversed,
/// an all_gather. The parts of a lane do not lie together: messages on a node list N of them for each rank.
/// Cost with the defaults for equal parts, see `multi_lane`: ⌈log2 w⌉ α₁ + (w-1)/w m (β₁ + γ) + ⌈log2 N⌉ α +
/// (N-1)/N (β + γ) m/w, which is ⌈log2 p⌉ messages or one more. To generate: O(p).
template <class Inside, class Across>
    requires scatterable_in_lanes<Inside, Across>
constexpr facts describe(collective::reduce_scatter, std::type_identity<multi_lane_of<Inside, Across>>) {
    return facts_in_turn("multi_lane",
                         {facts_of<collective::reduce_scatter, Inside>, facts_of<collective::reduce_scatter, Across>});
}

template <class Inside, class Across>
    requires scatterable_in_lanes<Inside, Across>
[[nodiscard, gnu::cold]] std::string name_of(collective::reduce_scatter which,
                                             multi_lane_of<Inside, Across> const& all) {
    return name_with_parts<multi_lane>("multi_lane", all, which, which);
}

/// One block per rank.
template <class Inside, class Across>
    requires scatterable_in_lanes<Inside, Across>
[[nodiscard, gnu::cold]] std::size_t blocks_for(collective::reduce_scatter, multi_lane_of<Inside, Across> const&,
                                                std::size_t size, std::size_t /*bytes*/) {
    return size;
}

template <class Inside, class Across>
    requires scatterable_in_lanes<Inside, Across>
[[nodiscard, gnu::cold]] lazy_schedule generate(collective::reduce_scatter which,
                                                multi_lane_of<Inside, Across> const& all, problem const& at) {
    check_lanes(all.nodes, at.size);
    auto const count = all.nodes.count(at.size);
    auto const width = at.size / count;
    strided_ranks const of_lanes{.size = at.size, .count = count, .step = width};
    strided_ranks const of_own_lane{.size = at.size, .first = at.rank % width, .stride = width};
    steps_in_turn steps{at.blocks};
    steps.append(generate(which, on_group(axis{1, width}, on_super_blocks(of_lanes, all.inside)), at));
    steps.append(generate(which, on_group(axis{width, count}, on_super_blocks(of_own_lane, all.across)), at));
    return std::move(steps).as_schedule();
}

}  // namespace tutti
