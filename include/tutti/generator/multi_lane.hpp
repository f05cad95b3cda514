// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>

#include <tutti/combinator/group.hpp>
#include <tutti/combinator/node_groups.hpp>
#include <tutti/combinator/on_group.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/combinator/sequence.hpp>
#include <tutti/combinator/super_blocks.hpp>
#include <tutti/cost/price.hpp>
#include <tutti/generator/binomial.hpp>
#include <tutti/generator/butterfly.hpp>
#include <tutti/generator/hierarchical.hpp>
#include <tutti/generator/named.hpp>
#include <tutti/generator/split.hpp>
#include <tutti/node_map.hpp>
#include <tutti/problem.hpp>

namespace tutti::generators {

struct choice_of_least_volume {
    static constexpr butterfly of(collective::reduce) { return {}; }
    static constexpr split of(split_collective auto) { return {}; }
};

/// For long vectors: ranks share them out, operands in rank order, and the same bits on all ranks.
using least_volume = by_collective<choice_of_least_volume>;

/// For long vectors: the w ranks of each node reduce_scatter their vectors, `inside`; each lane, one rank of every
/// node, reduces or all_reduces its part, `across`; and the parts are collected on the root's node, or on every node,
/// `inside` reversed. All ranks exchange messages with other nodes at once, each about 1/w of the vector.
///
/// Requires: nodes of w neighbouring ranks each; other orders of ranks by `in_node_order`.
/// Operands stay in order if `inside` and `across` keep it. Reversed, a broadcast. Reduce-scatters and scans are below.
/// Errors: std::invalid_argument, when schedules are generated, for a map of another number of ranks, for other nodes,
/// and for numbers that `inside` or `across` does not support; `fits` checks this in advance.
/// Cost of an all_reduce for N nodes, messages of α₁ + β₁m on a node, of α + βm between nodes, and even parts:
/// 2⌈log2 w⌉ α₁ + (w-1)/w m (2β₁ + γ) + (2⌈log2 N⌉ - 1) α + (2β + γ) m/w, if lanes do not get in each other's way;
/// a node sends and receives at most 2m in all. To generate: the sum of its stages, once more for each lane that is cut
/// differently.
/// Source: [traeff20] (full-lane). Counts on nodes of reduce, broadcast: 2 l | at most 2 K | at most 3/2 m/w, broadcast
/// 5/2 m/w. Counts on nodes of all_reduce: 2 l | at most 2 K - 1 | at most 2 m/w.
template <class Inside, class Across>
struct multi_lane_of {
    node_map nodes{};
    Inside inside{};
    Across across{};

    /// Whether schedules can be generated for this many ranks.
    [[nodiscard, gnu::cold]] bool fits(std::size_t size) const { return generators::has_lanes(nodes, size); }

    friend bool operator==(multi_lane_of const&, multi_lane_of const&) = default;
};

using multi_lane = multi_lane_of<least_volume, least_volume>;

/// What lanes may do with what is reduced on the nodes.
template <class Collective>
concept reduction_in_lanes = reduction<Collective> || std::same_as<Collective, collective::reduce_scatter>;

/// Algorithms for the reduce_scatter inside and for what is done across nodes; for a scan, one inside, too.
template <class Collective, class Inside, class Across>
concept works_in_lanes =
    (reduction_in_lanes<Collective> ||
     (collective::scan_collective<Collective> && generator_for<Inside, scan_inside<Collective>>)) &&
    generator_for<Inside, collective::reduce_scatter> && generator_for<Across, stage_across<Collective>>;

template <reduction_in_lanes Collective, class Inside, class Across>
    requires works_in_lanes<Collective, Inside, Across>
constexpr facts describe(Collective, std::type_identity<multi_lane_of<Inside, Across>>) {
    return generators::facts_of_sequence("multi_lane",
                                         {facts_of<collective::reduce_scatter, Inside>, facts_of<Collective, Across>});
}

template <class Collective, class Inside, class Across>
[[nodiscard, gnu::cold]] std::string name_of(Collective, multi_lane_of<Inside, Across> const& all) {
    using inside =
        std::conditional_t<reduction_in_lanes<Collective>, collective::reduce_scatter, scan_inside<Collective>>;
    return generators::name_with_parts<multi_lane>("multi_lane", all, inside{}, stage_across<Collective>{});
}

/// As many blocks for each lane as one of the algorithms wants.
template <class Collective, class Inside, class Across>
    requires works_in_lanes<Collective, Inside, Across> && (!collective::divides<Collective>)
[[nodiscard, gnu::cold]] std::size_t blocks_for(Collective, multi_lane_of<Inside, Across> const& all, std::size_t size,
                                                std::size_t bytes) {
    all.nodes.check_size(size);
    auto const width = all.nodes.ranks_on(0, size);
    auto const inside = [&](auto which) { return (blocks_for(which, all.inside, width, bytes) + width - 1) / width; };
    auto wanted = std::max(inside(collective::reduce_scatter{}),
                           blocks_for(stage_across<Collective>{}, all.across, all.nodes.count(size), bytes / width));
    if constexpr (collective::scan_collective<Collective>) {
        wanted = std::max(wanted, inside(scan_inside<Collective>{}));
    }
    return width * wanted;
}

template <reduction Collective, class Inside, class Across>
    requires works_in_lanes<Collective, Inside, Across>
[[nodiscard, gnu::cold]] lazy_schedule generate(Collective which, multi_lane_of<Inside, Across> const& all,
                                                problem const& at) {
    generators::check_lanes(all.nodes, at.size);
    same_node const inside{all.nodes};
    stage_sequence steps{at.blocks};
    steps.append(generate(collective::reduce_scatter{}, generators::on_group(inside, all.inside), at));
    steps.append(generate(which, generators::on_group(lanes{all.nodes}, all.across), at));
    if constexpr (std::same_as<Collective, collective::all_reduce>) {
        steps.append(
            generate(collective::all_gather{}, generators::on_group(inside, generators::reverse(all.inside)), at));
    } else {
        steps.append(generate(collective::gather{}, on_group(root_node{all.nodes}, reverse(binomial{})), at));
    }
    return std::move(steps).as_schedule();
}

/// A reduce_scatter by `multi_lane`: each node reduces to its rank j what belongs to the ranks of lane j, on all nodes;
/// these parts are reduced to their owners in each lane.
///
/// Reversed, an all_gather. The parts of a lane do not lie together: messages on a node list N of them for each rank.
/// Cost with the defaults for equal parts, see `multi_lane`: ⌈log2 w⌉ α₁ + (w-1)/w m (β₁ + γ) + ⌈log2 N⌉ α +
/// (N-1)/N (β + γ) m/w, which is ⌈log2 p⌉ messages or one more. To generate: O(p).
/// Counts on nodes of reduce_scatter, all_gather: l | K | m (N - 1)/p, all_gather up to half as much more.
template <class Inside, class Across>
    requires works_in_lanes<collective::reduce_scatter, Inside, Across>
[[nodiscard, gnu::cold]] lazy_schedule generate(collective::reduce_scatter which,
                                                multi_lane_of<Inside, Across> const& all, problem const& at) {
    generators::check_lanes(all.nodes, at.size);
    auto const count = all.nodes.count(at.size);
    auto const width = at.size / count;
    strided_ranks const of_lanes{.size = at.size, .count = count, .step = width};
    strided_ranks const of_own_lane{.size = at.size, .first = at.rank % width, .stride = width};
    stage_sequence steps{at.blocks};
    steps.append(generate(
        which, generators::on_group(groups::axis{1, width}, generators::on_super_blocks(of_lanes, all.inside)), at));
    steps.append(generate(
        which, generators::on_group(groups::axis{width, count}, generators::on_super_blocks(of_own_lane, all.across)),
        at));
    return std::move(steps).as_schedule();
}

/// Scans by `multi_lane`: the ranks of a node share out its total and scan the parts in their lanes; the node scans by
/// itself; the product of the nodes before is collected on the node, for scan_reduce the total too, and put in front.
///
/// Memory for two vectors more on each rank.
/// Cost with the defaults, see `multi_lane`: between nodes a scan of m/w elements by `split`; on a node at most
/// 4⌈log2 w⌉ α₁ + 4m β₁ + 5m γ, for scan_reduce m β₁ more.
/// Counts on nodes of scans: at most 4 l - 1 | at most 2 K - 1 | at most 2 m/w.
template <collective::scan_collective Collective, class Inside, class Across>
    requires works_in_lanes<Collective, Inside, Across>
constexpr facts describe(Collective, std::type_identity<multi_lane_of<Inside, Across>>) {
    auto result = generators::facts_of_sequence("multi_lane", {facts_of<collective::reduce_scatter, Inside>,
                                                               facts_of<scan_inside<Collective>, Inside>,
                                                               facts_of<stage_across<Collective>, Across>});
    result.one_ported = result.one_ported && !std::same_as<Collective, collective::scan_reduce>;
    return result;
}

template <collective::scan_collective Collective, class Inside, class Across>
    requires works_in_lanes<Collective, Inside, Across>
[[nodiscard, gnu::cold]] lazy_schedule generate(Collective, multi_lane_of<Inside, Across> const& all,
                                                problem const& at) {
    constexpr bool inclusive = std::same_as<Collective, collective::inclusive_scan>;
    constexpr bool with_total = std::same_as<Collective, collective::scan_reduce>;
    generators::check_lanes(all.nodes, at.size);
    block_list const whole{block_range{0, at.blocks.blocks()}};
    same_node const inside{all.nodes};
    bool const on_first_node = all.nodes.node_of(at.rank) == 0;

    stage_sequence steps{at.blocks};
    auto const copied = steps.fresh_scratch();
    auto const before = steps.fresh_scratch();
    // an inclusive scan leaves its operand in place, and scan_reduce the total
    auto const total = inclusive ? copied : buffer::result();
    auto const scanned = inclusive ? buffer::result() : copied;
    if (at.size > 1) { steps.append(step::copy(0, buffer::result(), copied, whole)); }
    steps.append(generate(collective::reduce_scatter{}, generators::on_group(inside, all.inside), at),
                 {.result = total});
    steps.append(generate(stage_across<Collective>{}, generators::on_group(lanes{all.nodes}, all.across), at),
                 {.result = total, .prefix = before});
    steps.append(generate(scan_inside<Collective>{}, generators::on_group(inside, all.inside), at),
                 {.result = scanned});
    auto const to_node =
        generate(collective::all_gather{}, generators::on_group(inside, generators::reverse(all.inside)), at);
    steps.append(to_node, {.result = before}, !on_first_node);
    if (with_total) { steps.append_beside(to_node, {.result = total}); }
    if (!on_first_node) {
        steps.append(step::combine(0, before, inclusive ? scanned : buffer::prefix(), whole, side::left));
    }
    return std::move(steps).as_schedule();
}

/// Each node shares the vector out, each lane reduces its share, and the node collects the shares.
[[nodiscard, gnu::cold]] inline double time_of(collective::all_reduce which, multi_lane const&,
                                               pricing::message_costs const&, call_parameters const& now) {
    auto const inside = within_a_node(now);
    auto const across = across_nodes(now, now.bytes / inside.size);
    auto const lane = pricing::message_costs::combining(across);
    auto const shares = [&](std::size_t halvings) { return time_of(which, split{.halvings = halvings}, lane, across); };
    return time_of(collective::reduce_scatter{}, split{}, pricing::message_costs::combining_lent(inside), inside) +
           time_of(which, best_split(across.size, shares), lane, across) +
           time_of(collective::reduce_scatter{}, split{}, pricing::message_costs::transfer_only(inside), inside);
}
[[nodiscard, gnu::cold]] inline double time_of(collective::reduce which, multi_lane const&,
                                               pricing::message_costs const&, call_parameters const& now) {
    auto const inside = within_a_node(now);
    auto const across = across_nodes(now, now.bytes / inside.size);
    return time_of(collective::reduce_scatter{}, split{}, pricing::message_costs::combining_lent(inside), inside) +
           time_of(which, butterfly{}, pricing::message_costs::combining(across), across) +
           time_of(collective::scatter{}, binomial{}, pricing::message_costs::transfer_only(inside), inside);
}
[[nodiscard, gnu::cold]] inline double time_of(collective::reduce_scatter which, multi_lane const&,
                                               pricing::message_costs const&, call_parameters const& now) {
    auto const inside = within_a_node(now);
    auto const across = across_nodes(now, now.bytes / inside.size);
    return time_of(which, split{}, pricing::message_costs::combining_lent(inside), inside) +
           time_of(which, split{}, pricing::message_costs::combining(across), across);
}

}  // namespace tutti::generators

namespace tutti {
using generators::multi_lane;
}  // namespace tutti
