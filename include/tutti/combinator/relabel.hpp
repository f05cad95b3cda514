// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <tutti/generator.hpp>
#include <tutti/node_map.hpp>
#include <tutti/problem.hpp>

namespace tutti::generators {

/// A one-to-one map between ranks and positions, the same on every rank.
template <class P>
concept permutation = std::regular<P> && requires(P const& p, std::size_t i, problem const& at) {
    { p.position_of(i, at) } -> std::same_as<std::size_t>;
    { p.rank_at(i, at) } -> std::same_as<std::size_t>;
    { p.name() } -> std::convertible_to<std::string>;
};

/// Rank `by` has position 0, the next ranks follow.
struct rotation {
    std::size_t by = 0;

    [[nodiscard]] std::size_t position_of(std::size_t rank, problem const& at) const {
        return (rank + at.size - by % at.size) % at.size;
    }
    [[nodiscard]] std::size_t rank_at(std::size_t position, problem const& at) const {
        return (position + by % at.size) % at.size;
    }
    [[nodiscard]] std::string name() const { return "rotation"; }
    friend bool operator==(rotation const&, rotation const&) = default;
};

/// The root has position 0, the next ranks follow: any root for algorithms that only know root 0.
struct root_first {
    [[nodiscard]] std::size_t position_of(std::size_t rank, problem const& at) const {
        return rotation{at.root}.position_of(rank, at);
    }
    [[nodiscard]] std::size_t rank_at(std::size_t position, problem const& at) const {
        return rotation{at.root}.rank_at(position, at);
    }
    [[nodiscard]] std::string name() const { return "root_first"; }
    friend bool operator==(root_first const&, root_first const&) = default;
};

/// Position i belongs to rank ranks[i]: the order in which ranks are expected to arrive.
struct ordering {
    std::vector<std::size_t> ranks;

    [[nodiscard]] std::size_t position_of(std::size_t rank, problem const& at) const {
        constexpr auto wrong = "tutti: an ordering names every rank of the communicator exactly once";
        if (ranks.size() != at.size) { throw std::invalid_argument{wrong}; }
        std::vector<bool> named(at.size, false);
        std::size_t position = 0;
        for (std::size_t i = 0; i < ranks.size(); ++i) {
            if (ranks[i] >= at.size || named[ranks[i]]) { throw std::invalid_argument{wrong}; }
            named[ranks[i]] = true;
            if (ranks[i] == rank) { position = i; }
        }
        return position;
    }
    [[nodiscard]] std::size_t rank_at(std::size_t position, problem const&) const { return ranks[position]; }
    [[nodiscard]] std::string name() const { return "ordering"; }
    friend bool operator==(ordering const&, ordering const&) = default;
};

/// `Generator` run on positions in the place of ranks.
template <permutation Permutation, class Generator>
struct relabelled {
    Permutation permutation;
    Generator generator;
    friend bool operator==(relabelled const&, relabelled const&) = default;
};

/// The algorithm of `generator` with the ranks in another order.
///
/// Requires: a commutative operator, since operands are combined in the order of positions; no scan, whose result
/// depends on the order of ranks.
/// Result: as for the collective, on the same ranks. If ranks own blocks, a position has the blocks of its rank, as one
/// block. Rounds, messages and volume are those of `generator`.
/// Errors: std::invalid_argument, when schedules are generated, if an ordering does not name every rank once.
template <class Permutation, class Generator>
[[nodiscard]] relabelled<Permutation, Generator> relabel(Permutation permutation, Generator generator) {
    return {std::move(permutation), std::move(generator)};
}

/// Whether the results of a collective do not depend on how ranks are numbered.
template <class Collective>
concept indifferent_to_ranks = !collective::is_scan<Collective>;

template <indifferent_to_ranks Collective, class Permutation, generator_for<Collective> Generator>
constexpr facts describe(Collective, std::type_identity<relabelled<Permutation, Generator>>) {
    auto result = facts_of<Collective, Generator>;
    result.name = "relabel";
    result.requires_commutative = collective::combines<Collective>;
    return result;
}

template <class Collective, class Permutation, class Generator>
[[nodiscard]] std::string name_of(Collective which, relabelled<Permutation, Generator> const& all) {
    return "relabel(" + all.permutation.name() + ", " + name_of(which, all.generator) + ")";
}

template <class Collective, class Permutation, class Generator>
[[nodiscard]] std::size_t blocks_for(Collective which, relabelled<Permutation, Generator> const& all, std::size_t size,
                                     std::size_t bytes) {
    return blocks_for(which, all.generator, size, bytes);
}

template <indifferent_to_ranks Collective, class Permutation, generator_for<Collective> Generator>
[[nodiscard]] lazy_schedule generate(Collective which, relabelled<Permutation, Generator> const& all,
                                     problem const& at) {
    std::shared_ptr<partition const> const cut{new partition{at.blocks}};
    auto const of_rank = [permutation = all.permutation, rank = at.rank, size = at.size, root = at.root,
                          cut](std::size_t position) {
        return permutation.rank_at(position, problem{rank, size, root, *cut});
    };
    auto const position = all.permutation.position_of(at.rank, at);
    auto const root = all.permutation.position_of(at.root, at);
    auto const peers_renamed = [of_rank](step each) {
        if (each.communicates()) { each.peer = of_rank(each.peer); }
        return each;
    };
    if constexpr (collective::divides<Collective>) {
        auto const blocks_at = [of_rank, size = at.size, cut](std::size_t owner) {
            return ownership::blocks_of(of_rank(owner), size, cut->blocks());
        };
        std::vector<std::size_t> sizes;
        for (std::size_t owner = 0; owner < at.size; ++owner) {
            auto const owned = blocks_at(owner);
            sizes.push_back(cut->size(owned.first, owned.last));
        }
        auto const inner_cut = partition::of_sizes(sizes);
        auto const inner = schedules::lazy(generate(which, all.generator, problem{position, at.size, root, inner_cut}));
        auto const renamed = [peers_renamed, blocks_at](step const& each) {
            auto result = peers_renamed(each);
            result.blocks = {};
            for (auto const& range : each.blocks) {
                for (auto owner = range.first; owner < range.last; ++owner) { result.blocks.append(blocks_at(owner)); }
            }
            return result;
        };
        return schedules::each_changed(inner, renamed);
    } else {
        auto const inner = schedules::lazy(generate(which, all.generator, problem{position, at.size, root, at.blocks}));
        return schedules::each_changed(inner, peers_renamed);
    }
}

/// The ranks of node 0, of node 1, ..., each in rank order.
struct by_node {
    node_map nodes{};

    [[nodiscard]] std::size_t position_of(std::size_t rank, problem const& at) const {
        nodes.check_size(at.size);
        return nodes.position_of(rank);
    }
    [[nodiscard]] std::size_t rank_at(std::size_t position, problem const&) const { return nodes.rank_at(position); }
    [[nodiscard]] std::string name() const { return "by_node"; }
    friend bool operator==(by_node const&, by_node const&) = default;
};

/// `generator`, hierarchical or multi_lane, with the ranks renumbered in node order: for any placement of ranks on
/// nodes.
///
/// Requires: a commutative operator, since operands are combined in node order; no scan. See `relabel`.
/// Result, cost and errors: those of `generator`, whose nodes then have neighbouring ranks.
template <class NodeAware>
[[nodiscard]] relabelled<by_node, NodeAware> in_node_order(NodeAware generator) {
    by_node const order{generator.nodes};
    generator.nodes = order.nodes.in_node_order();
    return generators::relabel(order, std::move(generator));
}

}  // namespace tutti::generators

namespace tutti {
using generators::in_node_order;
using generators::relabel;
}  // namespace tutti
