// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include <tutti/combinator/relabel.hpp>
#include <tutti/node_map.hpp>
#include <tutti/problem.hpp>

namespace tutti {

/// The ranks of node 0, of node 1, ..., each in rank order.
struct by_node {
    node_map nodes{};

    [[nodiscard]] std::size_t position_of(std::size_t rank, problem const& at) const {
        nodes.check(at.size);
        return nodes.position_of(rank);
    }
    [[nodiscard]] std::size_t rank_at(std::size_t position, problem const&) const { return nodes.rank_at(position); }
    [[nodiscard]] std::string name() const { return "by_node"; }
    friend bool operator==(by_node const&, by_node const&) = default;
};

/// `generator`, hierarchical or multi_lane, with the ranks renumbered in node order: for ranks that are dealt out to
/// nodes in any way.
///
/// Requires: a commutative operator, since operands are combined in node order; no scan. See `relabel`.
/// Result, cost and errors: those of `generator`, which then has nodes of neighbouring ranks.
template <class NodeAware>
[[nodiscard]] relabelled<by_node, NodeAware> in_node_order(NodeAware generator) {
    by_node const order{generator.nodes};
    generator.nodes = order.nodes.in_node_order();
    return relabel(order, std::move(generator));
}

}  // namespace tutti
