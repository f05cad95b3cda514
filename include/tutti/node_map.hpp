// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>
#include <stdexcept>

#include <tutti/dynamic_array.hpp>
#include <tutti/text.hpp>

namespace tutti {

/// Which ranks share a node of the machine. Nodes are numbered 0, 1, ... in the order of their first ranks.
///
/// A map that names the node of each rank is for that number of ranks; one with a single node, or with nodes of one
/// width, is for any number. Below, `size` is the number of ranks, for which `check_size` has been called. In node
/// order, ranks are sorted by node, then by rank. If the ranks of every node are neighbours, it is rank order.
/// Cost: O(1) to copy a map, and to compare copies: they share what is stored.
class node_map {
public:
    /// One node for all ranks.
    node_map() = default;

    // Out of line for code size: copied in many places, never on a hot path.
    [[gnu::noinline]] node_map(node_map const&) = default;
    [[gnu::noinline]] node_map(node_map&&) noexcept = default;
    [[gnu::noinline]] node_map& operator=(node_map const&) = default;
    [[gnu::noinline]] node_map& operator=(node_map&&) noexcept = default;
    [[gnu::noinline]] ~node_map() = default;

    /// Rank r is on node `node_of_rank[r]`; nodes may have any numbers for names.
    explicit node_map(std::span<std::size_t const> node_of_rank)
        : listed_{new listing{node_of_rank}} {}
    explicit node_map(std::initializer_list<std::size_t> node_of_rank)
        : node_map{std::span<std::size_t const>{node_of_rank.begin(), node_of_rank.size()}} {}

    /// Neighbouring ranks share a node, `ranks_per_node` at a time; the last node may have fewer.
    [[nodiscard]] static node_map of_width(std::size_t ranks_per_node) {
        if (ranks_per_node == 0) {
            throw std::invalid_argument{"tutti: a node has at least one rank, so nodes cannot be 0 ranks wide"};
        }
        node_map result;
        result.width_ = ranks_per_node;
        return result;
    }

    /// The same nodes, each with this many processors for its ranks; 0: unknown.
    [[nodiscard]] node_map with_processors(std::size_t count) const {
        auto result = *this;
        result.processors_ = count;
        return result;
    }
    [[nodiscard]] std::size_t processors() const { return processors_; }

    /// The same nodes, which are processes of one machine: messages between them go through its memory, too.
    [[nodiscard]] node_map on_one_machine(bool are_on_one) const {
        auto result = *this;
        result.on_one_machine_ = are_on_one;
        return result;
    }
    /// Whether memory is all that lies between the ranks.
    [[nodiscard]] bool shares_memory(std::size_t size) const { return on_one_machine_ || count(size) == 1; }

    /// How many ranks the map names, and how wide it makes nodes; 0 if it does not.
    [[nodiscard]] std::size_t names_ranks() const { return listed_ ? listed_->node_of_rank.size() : 0; }
    [[nodiscard]] std::size_t width() const { return width_; }

    [[nodiscard]] bool is_for(std::size_t size) const { return !listed_ || names_ranks() == size; }

    /// Throws std::invalid_argument unless the map is for `size` ranks.
    void check_size(std::size_t size) const {
        if (!is_for(size)) {
            throw std::invalid_argument{
                text::joined({"tutti: the map of nodes names the nodes of ", names_ranks(), " ranks, but there are ",
                              size, "; it has to name the node of each rank"})};
        }
    }

    /// How many nodes there are.
    [[nodiscard]] std::size_t count(std::size_t size) const {
        if (listed_) { return listed_->begins.size() - 1; }
        return width_ == 0 ? 1 : (size - 1) / width_ + 1;
    }

    [[nodiscard]] std::size_t node_of(std::size_t rank) const {
        if (listed_) { return listed_->node_of_rank[rank]; }
        return width_ == 0 ? 0 : rank / width_;
    }

    /// The positions [first, last) of the ranks of `node` in node order.
    [[nodiscard]] std::size_t first(std::size_t node) const { return listed_ ? listed_->begins[node] : node * width_; }
    [[nodiscard]] std::size_t last(std::size_t node, std::size_t size) const {
        if (listed_) { return listed_->begins[node + 1]; }
        return width_ == 0 ? size : std::min(size, (node + 1) * width_);
    }

    [[nodiscard]] std::size_t ranks_on(std::size_t node, std::size_t size) const {
        return last(node, size) - first(node);
    }

    [[nodiscard]] std::size_t most_on_a_node(std::size_t size) const {
        std::size_t most = 0;
        for (auto const node : of_every_width(size)) { most = std::max(most, ranks_on(node, size)); }
        return most;
    }

    /// Whether a node is known to have more ranks than processors.
    [[nodiscard]] bool shares_processors(std::size_t size) const {
        return processors_ != 0 && most_on_a_node(size) > processors_;
    }

    /// Whether the ranks of every node are neighbours.
    [[nodiscard]] bool contiguous() const { return !listed_ || listed_->rank_at.empty(); }

    /// Whether all nodes have the same number of ranks.
    [[nodiscard]] bool equal(std::size_t size) const {
        return listed_ ? listed_->equal : width_ == 0 || size % width_ == 0;
    }

    /// Whether nodes make a difference: there are several, and not one for each rank.
    [[nodiscard]] bool divides(std::size_t size) const { return count(size) != 1 && count(size) != size; }

    [[nodiscard]] std::size_t rank_at(std::size_t position) const {
        return contiguous() ? position : listed_->rank_at[position];
    }
    [[nodiscard]] std::size_t position_of(std::size_t rank) const {
        return contiguous() ? rank : listed_->position_of[rank];
    }

    /// The map of ranks that are renumbered in node order: nodes as large as before, with neighbouring ranks.
    [[nodiscard]] node_map in_node_order() const {
        if (contiguous()) { return *this; }
        dynamic_array<std::size_t> nodes;
        for (auto const rank : listed_->rank_at) { nodes.push_back(node_of(rank)); }
        return node_map{nodes};
    }

    /// Nodes out of every number of ranks that a node has: two, if there are two.
    [[nodiscard]] dynamic_array<std::size_t> of_every_width(std::size_t size) const {
        if (listed_) { return listed_->of_every_width; }
        auto const last_node = count(size) - 1;
        dynamic_array<std::size_t> result{0};
        for (auto const node : {std::min<std::size_t>(1, last_node), last_node}) {
            if (node != result.back()) { result.push_back(node); }
        }
        return result;
    }

    friend bool operator==(node_map const& a, node_map const& b) {
        if (a.width_ != b.width_ || a.processors_ != b.processors_ || a.on_one_machine_ != b.on_one_machine_) {
            return false;
        }
        return a.listed_ == b.listed_ || (a.listed_ && b.listed_ && a.listed_->node_of_rank == b.listed_->node_of_rank);
    }

private:
    struct listing {
        [[gnu::cold]] explicit listing(std::span<std::size_t const> names) {
            dynamic_array<std::size_t> known;  // names of nodes
            dynamic_array<std::size_t> widths;
            bool neighbours = true;
            for (std::size_t rank = 0; rank < names.size(); ++rank) {
                // most often a rank is on the node of the one before, or on the node after that
                auto const last = rank == 0 ? 0 : node_of_rank.back();
                auto node = last;
                if (last < known.size() && known[last] != names[rank]) {
                    node = last + 1 < known.size() ? last + 1 : 0;
                    if (known[node] != names[rank]) {
                        node = static_cast<std::size_t>(std::find(known.begin(), known.end(), names[rank]) -
                                                        known.begin());
                    }
                }
                if (node == known.size()) {
                    known.push_back(names[rank]);
                    widths.push_back(0);
                }
                neighbours = neighbours && node + 1 == widths.size();
                ++widths[node];
                node_of_rank.push_back(node);
            }
            begins.push_back(0);
            for (auto const width : widths) { begins.push_back(begins.back() + width); }
            find_every_width(widths);
            if (neighbours) { return; }
            auto next = begins;
            rank_at.resize(names.size());
            for (std::size_t rank = 0; rank < names.size(); ++rank) {
                position_of.push_back(next[node_of_rank[rank]]++);
                rank_at[position_of.back()] = rank;
            }
        }

        void find_every_width(dynamic_array<std::size_t> const& widths) {
            dynamic_array<std::size_t> seen;  // of each width: how many nodes so far have it
            for (std::size_t node = 0; node < widths.size(); ++node) {
                if (seen.size() <= widths[node]) { seen.resize(widths[node] + 1); }
                if (++seen[widths[node]] <= 2) { of_every_width.push_back(node); }
                equal = equal && widths[node] == widths.front();
            }
        }

        dynamic_array<std::size_t> node_of_rank{};
        dynamic_array<std::size_t> begins{};  // of nodes, in node order
        dynamic_array<std::size_t> of_every_width{};
        bool equal = true;
        dynamic_array<std::size_t> rank_at{};  // this and the next are empty where they say nothing
        dynamic_array<std::size_t> position_of{};
    };

    std::size_t width_ = 0;  // of nodes; 0: one node, or as listed
    std::size_t processors_ = 0;
    bool on_one_machine_ = false;
    std::shared_ptr<listing const> listed_;
};

/// Ranks from `first` to before `last`, of which `through` alone may exchange messages with others; none by default.
struct funneled_ranks {
    int first = 0;
    int last = 0;
    int through = 0;

    [[nodiscard]] bool has(int rank) const { return first <= rank && rank < last; }
};

}  // namespace tutti
