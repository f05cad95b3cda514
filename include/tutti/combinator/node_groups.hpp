// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include <tutti/combinator/group.hpp>
#include <tutti/cost/price.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/text.hpp>
#include <tutti/node_map.hpp>
#include <tutti/problem.hpp>

namespace tutti::generators {

/// Whether the ranks of every node are neighbours, so that their product is in rank order.
[[nodiscard]] inline bool has_neighbours_on_nodes(node_map const& nodes, std::size_t size) {
    return nodes.is_for(size) && nodes.contiguous();
}

/// Whether, besides, all nodes have the same number of ranks, so that every rank has its counterpart on each.
[[nodiscard]] inline bool has_lanes(node_map const& nodes, std::size_t size) {
    return has_neighbours_on_nodes(nodes, size) && nodes.equal(size);
}

/// Throws unless the ranks of every node are neighbours.
inline void check_neighbours(node_map const& nodes, std::size_t size) {
    nodes.check_size(size);
    if (!has_neighbours_on_nodes(nodes, size)) {
        throw std::invalid_argument{"tutti: the ranks of a node are not neighbours, so operands would not stay in rank "
                                    "order; if the operator commutes, let in_node_order(...) renumber the ranks"};
    }
}

/// Throws unless there are lanes.
inline void check_lanes(node_map const& nodes, std::size_t size) {
    check_neighbours(nodes, size);
    if (!nodes.equal(size)) {
        throw std::invalid_argument{
            text::joined({"tutti: ", size, " ranks are not spread evenly over ", nodes.count(size),
                          " nodes, so there are no lanes; hierarchical takes nodes of any sizes"})};
    }
}

/// Which rank leads a node: the root its own node and the first rank the others, or the last rank all of them.
enum class node_leader : std::uint8_t { root_or_first, last };

/// The ranks of each node. The root of a group is the leader of the node.
struct same_node {
    node_map nodes{};
    node_leader leader = node_leader::root_or_first;
    static constexpr bool keeps_order = true;

    [[nodiscard, gnu::cold]] groups::group group_of(std::size_t rank, problem const& at) const {
        check_neighbours(nodes, at.size);
        auto const node = nodes.node_of(rank);
        auto const last = nodes.last(node, at.size);
        return groups::group::of(rank, nodes.first(node), 1, last, leader == node_leader::last ? last - 1 : at.root);
    }
    [[nodiscard, gnu::cold]] dynamic_array<std::size_t> representatives(problem const& at) const {
        check_neighbours(nodes, at.size);
        dynamic_array<std::size_t> ranks{at.root};
        for (auto const node : nodes.of_every_width(at.size)) { ranks.push_back(nodes.first(node)); }
        return ranks;
    }
    [[nodiscard]] std::string name() const { return "same_node"; }
    friend bool operator==(same_node const&, same_node const&) = default;
};

/// The ranks of the root's node; all others do nothing.
struct root_node {
    node_map nodes{};
    static constexpr bool keeps_order = true;

    [[nodiscard, gnu::cold]] groups::group group_of(std::size_t rank, problem const& at) const {
        if (nodes.node_of(rank) != nodes.node_of(at.root)) {
            return groups::group::of(rank, rank, 1, rank + 1, at.root);
        }
        return same_node{nodes}.group_of(rank, at);
    }
    [[nodiscard, gnu::cold]] dynamic_array<std::size_t> representatives(problem const& at) const { return {at.root}; }
    [[nodiscard]] std::string name() const { return "root_node"; }
    friend bool operator==(root_node const&, root_node const&) = default;
};

/// The leaders of all nodes, in the order of nodes.
struct leader_group {
    std::size_t size;
    std::size_t position;
    std::size_t root;
    std::size_t all_ranks;
    std::size_t root_rank;
    node_leader leader;
    node_map nodes;

    [[nodiscard]] std::size_t rank_at(std::size_t node) const {
        if (leader == node_leader::last) { return nodes.last(node, all_ranks) - 1; }
        return node == nodes.node_of(root_rank) ? root_rank : nodes.first(node);
    }
};

/// The leader of every node, in one group; all others do nothing.
struct node_leaders {
    node_map nodes{};
    node_leader leader = node_leader::root_or_first;
    static constexpr bool keeps_order = true;

    [[nodiscard, gnu::cold]] leader_group group_of(std::size_t rank, problem const& at) const {
        check_neighbours(nodes, at.size);
        auto const node = nodes.node_of(rank);
        leader_group result{nodes.count(at.size), node, nodes.node_of(at.root), at.size, at.root, leader, nodes};
        if (result.rank_at(node) != rank) {
            result.size = 1;
            result.position = result.root = 0;
        }
        return result;
    }
    [[nodiscard, gnu::cold]] dynamic_array<std::size_t> representatives(problem const& at) const {
        return {leader == node_leader::last ? nodes.last(0, at.size) - 1 : at.root};
    }
    [[nodiscard]] std::string name() const { return "node_leaders"; }
    friend bool operator==(node_leaders const&, node_leaders const&) = default;
};

/// The ranks with the same position on their nodes, one of each node. Of w lanes, lane j works on the part that
/// would belong to rank j of w. The root of a lane is its rank on the root's node.
struct lanes {
    node_map nodes{};
    static constexpr bool keeps_order = false;

    [[nodiscard, gnu::cold]] groups::group group_of(std::size_t rank, problem const& at) const {
        auto const width = lanes_of(at);
        return {at.size / width, rank / width, at.root / width, rank % width, width};
    }
    [[nodiscard]] block_range part_of(std::size_t rank, problem const& at) const {
        auto const width = lanes_of(at);
        return ownership::blocks_of(rank % width, width, at.blocks.blocks());
    }
    /// Lanes like the one before are left out.
    [[nodiscard, gnu::cold]] dynamic_array<std::size_t> representatives(problem const& at) const {
        dynamic_array<std::size_t> ranks{0};
        for (std::size_t lane = 1; lane < lanes_of(at); ++lane) {
            if (!cut_alike(at.blocks, part_of(ranks.back(), at), part_of(lane, at))) { ranks.push_back(lane); }
        }
        return ranks;
    }
    [[nodiscard]] std::string name() const { return "lanes"; }
    friend bool operator==(lanes const&, lanes const&) = default;

private:
    [[nodiscard]] std::size_t lanes_of(problem const& at) const {
        check_lanes(nodes, at.size);
        return nodes.ranks_on(0, at.size);
    }

    [[nodiscard]] static bool cut_alike(partition const& blocks, block_range a, block_range b) {
        if (a.last - a.first != b.last - b.first) { return false; }
        for (std::size_t i = 0; i < a.last - a.first; ++i) {
            if (blocks.size(a.first + i) != blocks.size(b.first + i)) { return false; }
        }
        return true;
    }
};

/// The call parameters of `size` of the ranks, which have `bytes` bytes each and send while the others do not. Times of
/// stages are made of these, not of the `message_costs` of the whole call: messages cost less inside a node than
/// across.
[[nodiscard, gnu::noinline, gnu::cold]] inline call_parameters parameters_of_group(call_parameters const& now,
                                                                                   std::size_t size, std::size_t bytes,
                                                                                   node_map const& nodes) {
    auto result = now;
    result.size = size;
    result.bytes = bytes;
    result.longest_part = 0;
    result.nodes = nodes;
    result.others_send = false;
    return result;
}

/// The call parameters of a collective among the ranks of the widest node.
[[nodiscard, gnu::noinline, gnu::cold]] inline call_parameters within_a_node(call_parameters const& now) {
    return parameters_of_group(now, now.nodes.most_on_a_node(now.size), now.bytes, {});
}

/// The call parameters of a collective among one rank of each node, each of which has `bytes` bytes.
[[nodiscard, gnu::noinline, gnu::cold]] inline call_parameters across_nodes(call_parameters const& now,
                                                                            std::size_t bytes) {
    auto const each_alone = node_map::of_width(1).on_one_machine(now.nodes.shares_memory(now.size));
    return parameters_of_group(now, now.nodes.count(now.size), bytes, each_alone);
}

}  // namespace tutti::generators
