// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <optional>

namespace tutti::generators {

/// Two in-order trees over members 1 .. n, and rounds in which their edges can be used without a clash.
///
/// Tree 0: the top of k members is their 2^⌊log2 k⌋-th, and those on its two sides form subtrees in the same way; odd
/// members are leaves. Tree 1: member 1 is the top, with a tree of that kind over the others on its right; even
/// members are leaves. If member 1 is the root of both trees, it is above the top of tree 0 instead of a leaf there.
/// Switches: the members k2^i + 1 .. (k+1)2^i are a subtree and one more in either tree, so that only two have edges to
/// others; no more than two of these edges lead in, and two out.
/// Result: an edge is used in `round` and every `period` rounds after it, and `round` is later than the round of the
/// edge above, as in a broadcast. Modulo the period a member's edges to its two parents have rounds 0 and 1, and so
/// have those to its children, at most two in both trees together: with period 2 it is never idle, with 3 every third
/// round.
/// Rounds: at most period ⌊log2 n⌋ in tree 0, period (1 + ⌊log2(n-1)⌋) + 1 in tree 1, counted from a common root.
/// Cost: O(log n) for each question. Source: [sanders09]; here tree 1 is tree 0 shifted, never mirrored, because then
/// what happens on the way down to a member decides how its edges are coloured.
class two_trees {
public:
    enum class root { none, outside, first };  ///< no common root, one that is no member, or member 1

    /// To the parent or to a child; there is none if `member` is 0.
    struct edge {
        std::size_t member = 0;
        std::size_t round = 0;
        friend bool operator==(edge const&, edge const&) = default;
    };

    /// The edges of a member in one tree. With a root outside, `parent.round` of a top is the round of its edge to the
    /// root.
    struct position {
        edge parent;
        edge left;
        edge right;
        friend bool operator==(position const&, position const&) = default;
    };

    /// With a root outside both tops are its children; otherwise edges below the tops are used from round 0 on.
    /// Requires members > 0.
    two_trees(std::size_t members, root common, std::size_t period = 2)
        : members_{members}, common_{common}, period_{period} {}

    [[nodiscard]] std::size_t top(std::size_t tree) const { return first_is_top(tree) ? 1 : std::bit_floor(members_); }

    [[nodiscard]] position place_of(std::size_t tree, std::size_t member) const {
        auto const edge_to = [&](std::optional<node> const& at) {
            return at ? edge{at->index + tree, round(*at)} : edge{};
        };
        if (member == 1 && first_is_top(tree)) {
            edge const above{0, common_ == root::outside ? std::size_t{1} : std::size_t{0}};
            return {above, {}, members_ == 1 ? edge{} : edge_to(upper(tree))};
        }
        auto const index = member - tree;
        std::size_t parent = first_is_top(tree) ? 1 : 0;
        auto at = upper(tree);
        while (at.index != index) {
            parent = at.index + tree;
            at = *(index < at.index ? left(at) : right(at));
        }
        return {{parent, round(at)}, edge_to(left(at)), edge_to(right(at))};
    }

    /// The members of the subtree that has `member` at its top: first .. last.
    struct span {
        std::size_t first;
        std::size_t last;
        friend bool operator==(span const&, span const&) = default;
    };

    [[nodiscard]] span below(std::size_t tree, std::size_t member) const {
        if (member == 1 && first_is_top(tree)) { return {1, members_}; }
        auto const reach = (std::size_t{1} << height_of(member - tree)) - 1;
        auto const first = member - reach;
        return {common_ == root::first ? std::max<std::size_t>(first, 2) : first, std::min(member + reach, members_)};
    }

    /// The latest of the rounds in which an edge of the tree is used for the first time.
    [[nodiscard]] std::size_t last_round(std::size_t tree) const {
        std::size_t latest = tree == 1 && common_ == root::outside ? 1 : 0;
        if (members_ == 1 && first_is_top(tree)) { return latest; }
        for (std::optional<node> at = upper(tree); at; at = right(*at)) {
            if (has_edge_above(*at)) { latest = std::max(latest, round(*at)); }
            if (auto const below = left(*at)) { latest = std::max(latest, last_round_below(*below)); }
        }
        return latest;
    }

private:
    [[nodiscard]] bool first_is_top(std::size_t tree) const { return tree == 1 || common_ == root::first; }

    /// Node `index` of the tree of the first kind over 1 .. n, or n-1 for tree 1, where it is member index + 1.
    struct node {
        std::size_t tree;
        std::size_t index;
        std::size_t height;
        bool spine;                   ///< only right turns lead here
        std::array<bool, 2> colours;  ///< of the edge above the node in tree 0, and in tree 1
        std::size_t earliest;         ///< the round after the one of the edge above the parent
    };

    /// Going left changes the colour in tree t by change[t], going right by its opposite, so that siblings differ. The
    /// edges to a member's parents must differ too: the one of node i in tree 0 from the one of node i-1 in tree 1. One
    /// of these nodes is above the other, and the way down turns once and goes on to its end, which makes each such
    /// pair an equation in the changes on that way. This is a solution.
    [[nodiscard]] std::array<bool, 2> change(node const& at) const {
        bool const on_spine = at.spine && spine_alternates();
        if (at.height != 1) { return {true, on_spine}; }
        bool const differ = at.colours[0] != at.colours[1];
        return {differ != on_spine, !differ};
    }

    /// What the end of the right spine asks for. Where it does, nodes of the spine must have different colours in the
    /// two trees; elsewhere any colours will do above the uppermost nodes.
    [[nodiscard]] bool spine_alternates() const { return members_ % 4 == 1 || members_ % 4 == 2; }

    /// A first root has the edges above both uppermost nodes, so that they differ. Otherwise the one of tree 1 follows
    /// from leaf 1 of tree 0, whose other parent's edge is fixed.
    [[nodiscard]] node upper(std::size_t tree) const {
        auto const index = std::bit_floor(members_);
        std::array const colours{false, common_ == root::first || spine_alternates()};
        std::size_t const earliest = tree == 1 && common_ == root::outside ? 2 : 0;
        return without_last({tree, index, height_of(index), true, colours, earliest});
    }

    [[nodiscard]] std::optional<node> left(node const& at) const {
        bool const is_root_below = common_ == root::first && at.tree == 0 && at.index == 2;
        if (at.height == 0 || is_root_below) { return {}; }
        return child(at, at.index - (std::size_t{1} << at.height) / 2, false);
    }

    [[nodiscard]] std::optional<node> right(node const& at) const {
        auto const last = members_ - at.tree;
        if (at.height == 0 || at.index >= last) { return {}; }
        auto const members = std::min((std::size_t{1} << at.height) - 1, members_ - at.index);
        return without_last(child(at, at.index + std::bit_floor(members), true));
    }

    [[nodiscard]] node child(node const& at, std::size_t index, bool to_the_right) const {
        auto const changes = change(at);
        auto const earliest = has_edge_above(at) ? round(at) + 1 : at.earliest;
        auto const turned = [&](std::size_t tree) { return at.colours[tree] != (changes[tree] != to_the_right); };
        return {at.tree, index, height_of(index), at.spine && to_the_right, {turned(0), turned(1)}, earliest};
    }

    /// Tree 1 has no node n; the complete subtree on its left takes its place.
    [[nodiscard]] node without_last(node at) const {
        if (at.tree == 0 || at.index != members_) { return at; }
        auto const earliest = at.earliest;
        at = child(at, at.index - (std::size_t{1} << at.height) / 2, false);
        at.earliest = earliest;
        return at;
    }

    [[nodiscard]] bool has_edge_above(node const& at) const {
        return at.tree == 1 || common_ != root::none || at.index != std::bit_floor(members_);
    }

    [[nodiscard]] std::size_t round(node const& at) const {
        std::size_t const colour = at.colours[at.tree] ? 1 : 0;
        return at.earliest + (colour + period_ - at.earliest % period_) % period_;
    }

    /// In a complete subtree one edge a level has the colour of the edge above it.
    [[nodiscard]] std::size_t last_round_below(node const& at) const {
        if (left(at)) { return round(at) + period_ * at.height; }
        auto const only = right(at);
        return round(only ? *only : at);
    }

    [[nodiscard]] static std::size_t height_of(std::size_t index) {
        return static_cast<std::size_t>(std::countr_zero(index));
    }

    std::size_t members_;
    root common_;
    std::size_t period_;
};

}  // namespace tutti::generators
