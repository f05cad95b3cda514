// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <tutti/combinator/node_groups.hpp>
#include <tutti/combinator/on_group.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/combinator/sequence.hpp>
#include <tutti/cost/price.hpp>
#include <tutti/generator.hpp>
#include <tutti/generator/binomial.hpp>
#include <tutti/generator/direct.hpp>
#include <tutti/generator/doubling.hpp>
#include <tutti/generator/named.hpp>
#include <tutti/generator/recursive_doubling.hpp>
#include <tutti/generator/split.hpp>
#include <tutti/node_map.hpp>
#include <tutti/problem.hpp>

namespace tutti::generators {

/// `name(inside, across)`, each algorithm as it is called in its collective; for the `Default` the name alone.
template <class Default, class NodeAware, class Inside, class Across>
[[nodiscard, gnu::cold]] std::string name_with_parts(std::string_view name, NodeAware const& all, Inside inside,
                                                     Across across) {
    if constexpr (std::same_as<NodeAware, Default>) {
        return std::string{name};
    } else {
        return generators::name_with_parts(name, {name_of(inside, all.inside), name_of(across, all.across)});
    }
}

/// The generator that a `Choice` names for each collective: `Choice::of(Collective{})`.
template <class Choice>
struct by_collective {
    friend bool operator==(by_collective const&, by_collective const&) = default;
};

template <class Choice, class Collective>
concept chooses = requires { Choice::of(Collective{}); };

template <class Collective, class Choice>
    requires chooses<Choice, Collective>
constexpr facts describe(Collective, std::type_identity<by_collective<Choice>>) {
    return facts_of<Collective, decltype(Choice::of(Collective{}))>;
}

template <class Collective, class Choice>
[[nodiscard, gnu::cold]] std::string name_of(Collective which, by_collective<Choice> const&) {
    return name_of(which, Choice::of(which));
}

template <class Collective, class Choice>
[[nodiscard, gnu::cold]] std::size_t blocks_for(Collective which, by_collective<Choice> const&, std::size_t size,
                                                std::size_t bytes) {
    return blocks_for(which, Choice::of(which), size, bytes);
}

template <class Collective, class Choice>
    requires chooses<Choice, Collective>
[[nodiscard, gnu::cold]] lazy_schedule generate(Collective which, by_collective<Choice> const&, problem const& at) {
    return schedules::lazy(generate(which, Choice::of(which), at));
}

struct choice_of_fewest_rounds {
    static constexpr binomial of(collective::reduce) { return {}; }
    static constexpr recursive_doubling of(collective::all_reduce) { return {}; }
    static constexpr doubling of(collective::inclusive_scan) { return {}; }
    static constexpr doubling of(collective::exclusive_scan) { return {}; }
    static constexpr direct of(collective::scan_reduce) { return {}; }
};

/// For short vectors: whole vectors in the fewest rounds, operands in rank order, and the same bits on all ranks.
using fewest_rounds = by_collective<choice_of_fewest_rounds>;

/// For short vectors: each node reduces to its leader, `inside`; the leaders reduce or all_reduce, `across`; and the
/// leaders broadcast, `inside` reversed. The root leads its node, the first rank any other.
///
/// Requires: nodes of neighbouring ranks, of any sizes; others by `in_node_order`.
/// Operands stay in order if `inside` and `across` keep it. Reversed, a broadcast. Scans are below.
/// Errors: std::invalid_argument, when schedules are generated, for a map of another number of ranks, for nodes whose
/// ranks are no neighbours, and for numbers that `inside` or `across` does not support; `fits` checks this in advance.
/// Cost for N nodes of w ranks, messages of α₁ + β₁m on a node, of α + βm between nodes:
/// ⌈log2 w⌉ (α₁ + (β₁+γ)m) + ⌈log2 N⌉ (α + (β+γ)m), for an all_reduce ⌈log2 w⌉ (α₁ + β₁m) and perhaps a round between
/// nodes more. A node sends and receives one message at a time. To generate: the sum of its stages.
/// Source: [traeff20] (hierarchical). Counts on nodes of reduce, broadcast: l | K | m, broadcast K m.
/// Counts on nodes of all_reduce: 2 l | K, one more unless N is a power of two | at most K m.
/// Counts on nodes of scans: 2 l | K | at most K m.
template <class Inside, class Across>
struct hierarchical_of {
    node_map nodes{};
    Inside inside{};
    Across across{};

    /// Whether schedules can be generated for this many ranks.
    [[nodiscard, gnu::cold]] bool fits(std::size_t size) const {
        return generators::has_neighbours_on_nodes(nodes, size);
    }

    friend bool operator==(hierarchical_of const&, hierarchical_of const&) = default;
};

using hierarchical = hierarchical_of<fewest_rounds, fewest_rounds>;
/// For longer vectors, where processors move the messages between nodes: leaders share the combining.
using split_among_leaders = hierarchical_of<fewest_rounds, split>;

template <class Collective>
concept reduction = std::same_as<Collective, collective::reduce> || std::same_as<Collective, collective::all_reduce>;

/// What nodes do among each other, and what each does by itself: it reduces, or scans.
template <class Collective>
using stage_across =
    std::conditional_t<std::same_as<Collective, collective::inclusive_scan>, collective::exclusive_scan, Collective>;
template <class Collective>
using scan_inside =
    std::conditional_t<std::same_as<Collective, collective::scan_reduce>, collective::exclusive_scan, Collective>;
template <class Collective>
using stage_inside = std::conditional_t<reduction<Collective>, collective::reduce, scan_inside<Collective>>;

/// Algorithms for these stages, and, reversed, for the broadcast inside.
template <class Collective, class Inside, class Across>
concept works_through_leaders =
    (reduction<Collective> || collective::scan_collective<Collective>) && generator_for<Inside, collective::reduce> &&
    generator_for<Inside, stage_inside<Collective>> && generator_for<Across, stage_across<Collective>>;

template <class Collective, class Inside, class Across>
    requires works_through_leaders<Collective, Inside, Across>
constexpr facts describe(Collective, std::type_identity<hierarchical_of<Inside, Across>>) {
    auto result = generators::facts_of_sequence(
        "hierarchical", {facts_of<stage_inside<Collective>, Inside>, facts_of<stage_across<Collective>, Across>});
    auto const back = facts_of<collective::reduce, Inside>;
    result.one_ported = result.one_ported && back.one_ported && !std::same_as<Collective, collective::scan_reduce>;
    return result;
}

template <class Collective, class Inside, class Across>
[[nodiscard, gnu::cold]] std::string name_of(Collective, hierarchical_of<Inside, Across> const& all) {
    return generators::name_with_parts<hierarchical>("hierarchical", all, stage_inside<Collective>{},
                                                     stage_across<Collective>{});
}

template <class Collective, class Inside, class Across>
    requires works_through_leaders<Collective, Inside, Across>
[[nodiscard, gnu::cold]] std::size_t blocks_for(Collective, hierarchical_of<Inside, Across> const& all,
                                                std::size_t size, std::size_t bytes) {
    all.nodes.check_size(size);
    return std::max(blocks_for(stage_inside<Collective>{}, all.inside, all.nodes.ranks_on(0, size), bytes),
                    blocks_for(stage_across<Collective>{}, all.across, all.nodes.count(size), bytes));
}

template <reduction Collective, class Inside, class Across>
    requires works_through_leaders<Collective, Inside, Across>
[[nodiscard, gnu::cold]] lazy_schedule generate(Collective which, hierarchical_of<Inside, Across> const& all,
                                                problem const& at) {
    same_node const inside{all.nodes};
    stage_sequence steps{at.blocks};
    steps.append(generate(collective::reduce{}, generators::on_group(inside, all.inside), at));
    steps.append(generate(which, generators::on_group(node_leaders{all.nodes}, all.across), at));
    if constexpr (std::same_as<Collective, collective::all_reduce>) {
        steps.append(
            generate(collective::broadcast{}, generators::on_group(inside, generators::reverse(all.inside)), at));
    }
    return std::move(steps).as_schedule();
}

/// Scans by `hierarchical`: each node scans, its last rank has the total of the node; these ranks scan the totals, and
/// broadcast the product of the nodes before, for scan_reduce the total too; every rank puts that in front of its own.
///
/// Cost of an exclusive scan with the defaults, see `hierarchical`: 2⌈log2 w⌉ rounds on a node, half of them to scan
/// and half to broadcast, and ⌈log2 N⌉ rounds between nodes, with one message to and from a node in each. For
/// scan_reduce, ⌊log2 N⌋ or two more rounds between nodes, and two messages in one round of the broadcast.
template <collective::scan_collective Collective, class Inside, class Across>
    requires works_through_leaders<Collective, Inside, Across>
[[nodiscard, gnu::cold]] lazy_schedule generate(Collective, hierarchical_of<Inside, Across> const& all,
                                                problem const& at) {
    constexpr bool inclusive = std::same_as<Collective, collective::inclusive_scan>;
    constexpr bool with_total = std::same_as<Collective, collective::scan_reduce>;
    block_list const whole{block_range{0, at.blocks.blocks()}};
    same_node const inside{all.nodes, node_leader::last};
    auto const members = inside.group_of(at.rank, at);
    bool const leads = at.size > 1 && members.position == members.root;
    bool const on_first_node = members.first == 0;

    stage_sequence steps{at.blocks};
    steps.append(generate(scan_inside<Collective>{}, generators::on_group(inside, all.inside), at));
    // an exclusive scan leaves anything in result
    auto const total = inclusive ? steps.fresh_scratch() : buffer::result();
    auto const before = steps.fresh_scratch();
    if (leads) {
        steps.append(step::copy(0, inclusive ? buffer::result() : buffer::input(), total, whole));
        if (!inclusive && members.size > 1) {
            steps.append(step::combine(0, buffer::prefix(), total, whole, side::left));
        }
    }
    node_leaders const across{all.nodes, node_leader::last};
    steps.append(generate(stage_across<Collective>{}, generators::on_group(across, all.across), at),
                 {.result = total, .prefix = before});
    auto const to_node =
        generate(collective::broadcast{}, generators::on_group(inside, generators::reverse(all.inside)), at);
    steps.append(to_node, {.result = before}, !on_first_node);
    if (with_total) { steps.append_beside(to_node, {.result = total}); }
    if (!on_first_node) {
        steps.append(step::combine(0, before, inclusive ? buffer::result() : buffer::prefix(), whole, side::left));
    }
    return std::move(steps).as_schedule();
}

/// Each node reduces to its leader, the leaders among themselves; then they broadcast, unless it is a reduce.
template <class Collective, class Across>
    requires works_through_leaders<Collective, fewest_rounds, fewest_rounds> &&
             (std::same_as<Across, fewest_rounds> ||
              (std::same_as<Collective, collective::all_reduce> && std::same_as<Across, split>))
[[nodiscard, gnu::cold]] double time_of(Collective which, hierarchical_of<fewest_rounds, Across> const& all,
                                        pricing::message_costs const&, call_parameters const& now) {
    auto const inside = within_a_node(now);
    auto const across = across_nodes(now, now.bytes);
    auto const costs = pricing::message_costs::combining(across);
    auto there = time_of(collective::reduce{}, binomial{}, pricing::message_costs::combining_lent(inside), inside);
    if constexpr (std::same_as<Across, split>) {
        there += time_of(which, all.across, costs, across);
    } else {
        there += time_of(collective::reduce{}, binomial{}, costs, across);
    }
    if constexpr (std::same_as<Collective, collective::reduce>) {
        return there;
    } else {
        return there + time_of(collective::reduce{}, binomial{}, pricing::message_costs::transfer_only(inside), inside);
    }
}

}  // namespace tutti::generators

namespace tutti {
using generators::hierarchical;
}  // namespace tutti
