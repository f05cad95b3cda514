// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>

#include <tutti/generator.hpp>
#include <tutti/generator/node_aware/hierarchical_scan.hpp>
#include <tutti/generator/node_aware/multi_lane.hpp>

namespace tutti {

/// Algorithms for the reduce_scatter and the scan inside, and for the scan across nodes.
template <class Collective, class Inside, class Across>
concept scannable_in_lanes =
    scan_collective<Collective> && generator_for<Inside, collective::reduce_scatter> &&
    generator_for<Inside, scan_of_node<Collective>> && generator_for<Across, scan_of_nodes<Collective>>;

/// Scans by `multi_lane`: the ranks of a node share out its total and scan the parts in their lanes; the node scans by
/// itself; what lies before it is collected on the node, for scan_reduce the total too, and put in front.
///
/// Result: as the collective says, operands in order. Memory for two vectors more on each rank.
/// Cost with the defaults, see `multi_lane`: between nodes that of a scan of m/w elements by `split`; on a node at most
/// 4⌈log2 w⌉ α₁ + 4m β₁ + 5m γ, for scan_reduce m β₁ more.
template <class Collective, class Inside, class Across>
    requires scannable_in_lanes<Collective, Inside, Across>
constexpr facts describe(Collective, std::type_identity<multi_lane_of<Inside, Across>>) {
    auto result = facts_in_turn("multi_lane", {facts_of<collective::reduce_scatter, Inside>,
                                               facts_of<scan_of_node<Collective>, Inside>,
                                               facts_of<scan_of_nodes<Collective>, Across>});
    result.one_ported = result.one_ported && !std::same_as<Collective, collective::scan_reduce>;
    return result;
}

template <scan_collective Collective, class Inside, class Across>
[[nodiscard, gnu::cold]] std::string name_of(Collective, multi_lane_of<Inside, Across> const& all) {
    return name_with_parts<multi_lane>("multi_lane", all, scan_of_node<Collective>{}, scan_of_nodes<Collective>{});
}

template <class Collective, class Inside, class Across>
    requires scannable_in_lanes<Collective, Inside, Across>
[[nodiscard, gnu::cold]] std::size_t blocks_for(Collective, multi_lane_of<Inside, Across> const& all, std::size_t size,
                                                std::size_t bytes) {
    auto const shared = blocks_of_lanes(scan_of_nodes<Collective>{}, all, size, bytes);
    auto const width = all.nodes.ranks_on(0, size);
    auto const scanned = blocks_for(scan_of_node<Collective>{}, all.inside, width, bytes);
    return width * std::max(shared / width, (scanned + width - 1) / width);
}

template <class Collective, class Inside, class Across>
    requires scannable_in_lanes<Collective, Inside, Across>
[[nodiscard, gnu::cold]] lazy_schedule generate(Collective, multi_lane_of<Inside, Across> const& all,
                                                problem const& at) {
    constexpr bool inclusive = std::same_as<Collective, collective::inclusive_scan>;
    constexpr bool with_total = std::same_as<Collective, collective::scan_reduce>;
    check_lanes(all.nodes, at.size);
    block_list const whole{block_range{0, at.blocks.blocks()}};
    same_node const inside{all.nodes};
    bool const on_first_node = all.nodes.node_of(at.rank) == 0;

    steps_in_turn steps{at.blocks};
    auto const copied = steps.fresh_scratch();
    auto const before = steps.fresh_scratch();
    // what is scanned stays in place for an inclusive scan, and the total for scan_reduce
    auto const total = inclusive ? copied : buffer::result();
    auto const scanned = inclusive ? buffer::result() : copied;
    if (at.size > 1) { steps.append(step::copy(0, buffer::result(), copied, whole)); }
    steps.append(generate(collective::reduce_scatter{}, on_group(inside, all.inside), at), {.result = total});
    steps.append(generate(scan_of_nodes<Collective>{}, on_group(lanes{all.nodes}, all.across), at),
                 {.result = total, .prefix = before});
    steps.append(generate(scan_of_node<Collective>{}, on_group(inside, all.inside), at), {.result = scanned});
    auto const to_node = generate(collective::all_gather{}, on_group(inside, reverse(all.inside)), at);
    steps.append(to_node, {.result = before}, !on_first_node);
    if (with_total) { steps.append_beside(to_node, {.result = total}); }
    if (!on_first_node) {
        steps.append(step::combine(0, before, inclusive ? scanned : buffer::prefix(), whole, side::left));
    }
    return std::move(steps).as_schedule();
}

}  // namespace tutti
