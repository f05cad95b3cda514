// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <tutti/dynamic_array.hpp>
#include <tutti/generator.hpp>
#include <tutti/generator/occupied.hpp>
#include <tutti/generator/reduce/two_tree.hpp>
#include <tutti/generator/two_trees.hpp>

namespace tutti {

/// Scans up and down two in-order trees, every other block in each: up, a rank combines its left subtree L, its own x
/// and its right subtree; down, it is told the product P of all ranks left of its subtree.
///
/// A rank passes P to its left child and P ⊕ L ⊕ x to its right child. No rank sends an empty P, nor, unless the
/// total is wanted, the product of a subtree that ends at rank p-1. The tops send the total down behind the last P,
/// without a pause.
/// Result: on rank r x_0 ⊕ ... ⊕ x_{r-1}, that ⊕ x_r, or the former and the total, of which all ranks have the same
/// bits; any size, operands in order.
/// Rounds for n blocks, q = ⌈log2 p⌉: at most 2n + 4q; with the total 3n + 4q + 1. A rank combines each block at most
/// four times in the tree of which it is an inner node, and once in the other.
/// Cost in lock step: (n + 2q)(2α + (2β + 3γ)m/n), for the total (n + 1)(α + βm/n) more.
/// To generate: O(log p), and O(1) for each step.
/// Source: Sanders, Speck and Träff, 2009; the total is new.
constexpr facts describe(collective::exclusive_scan, std::type_identity<two_tree>) { return {.name = "two_tree"}; }
constexpr facts describe(collective::inclusive_scan, std::type_identity<two_tree>) { return {.name = "two_tree"}; }
constexpr facts describe(collective::scan_reduce, std::type_identity<two_tree>) { return {.name = "two_tree"}; }

/// What one rank does again and again: each to every other block, once in two rounds.
template <class Collective>
class two_tree_scan {
public:
    explicit two_tree_scan(problem const& at) : member_{at.rank + 1}, size_{at.size}, blocks_{at.blocks.blocks()} {
        if (size_ == 1 || blocks_ == 0) { return; }
        two_trees const trees{size_, two_trees::root::none};
        for (std::size_t tree = 0; tree < std::min<std::size_t>(blocks_, 2); ++tree) {
            auto const last = trees.last_round(tree) + 2 * (blocks_of(tree) - 1);
            turn_ = std::max(turn_, last + 1);
            rounds_ = std::max(rounds_, last + 1 + (with_total ? 2 * blocks_of(tree) : 0));
        }
        rounds_ += turn_;
        for (std::size_t tree = 0; tree < std::min<std::size_t>(blocks_, 2); ++tree) {
            auto const place = trees.place_of(tree, member_);
            auto const below = trees.below(tree, member_);
            up(tree, place, below.last == size_);
            down(tree, place, below.first == 1);
            if constexpr (with_total) { total(tree, place); }
        }
        std::stable_sort(moves_.begin(), moves_.end(), [](move const& a, move const& b) {
            return std::pair{a.first.round % 2, a.turn} < std::pair{b.first.round % 2, b.turn};
        });
    }

    [[nodiscard]] std::size_t rounds() const { return rounds_; }

    /// All moves, once for every two rounds: those that are not due have no blocks.
    [[nodiscard]] std::size_t count() const { return moves_.size() * ((rounds_ + 1) / 2); }

    [[nodiscard]] step at(std::size_t i) const {
        auto const& each = moves_[i % moves_.size()];
        auto result = each.first;
        result.round = i / moves_.size() * 2 + each.first.round % 2;
        if (result.round < each.first.round) { return result; }
        auto const block = result.round - each.first.round + each.tree;
        if (block < blocks_) { result.blocks = block; }
        return result;
    }

private:
    static constexpr bool with_prefix = !std::same_as<Collective, collective::inclusive_scan>;
    static constexpr bool with_total = std::same_as<Collective, collective::scan_reduce>;

    static constexpr buffer own = buffer::result();
    static constexpr buffer kept = buffer::prefix();
    static constexpr buffer passing = buffer::scratch(0);  // up: the subtree's product; down: P

    /// In a round a rank sends before it waits: others may wait for it in a circle.
    enum class order : std::uint8_t { before, send, receive, after, at_last };

    struct move {
        using relocates_as_bytes = void;

        step first;  // with the tree's first block
        std::size_t tree;
        order turn;
    };

    [[nodiscard]] std::size_t blocks_of(std::size_t tree) const { return (blocks_ + 1 - tree) / 2; }

    [[nodiscard]] static std::size_t rank_of(two_trees::edge const& to) { return to.member - 1; }

    /// When the tree's first block crosses an edge: up, the last block is the one that arrives with the turn.
    [[nodiscard]] std::size_t round_up(std::size_t tree, two_trees::edge const& along) const {
        return turn_ - 1 - along.round - 2 * (blocks_of(tree) - 1);
    }
    [[nodiscard]] std::size_t round_down(two_trees::edge const& along) const { return turn_ + along.round; }
    [[nodiscard]] std::size_t round_of_total(std::size_t tree, two_trees::edge const& along) const {
        return round_down(along) + 2 * blocks_of(tree);
    }

    void add(std::size_t tree, order turn, step first) { moves_.push_back({std::move(first), tree, turn}); }

    void up(std::size_t tree, two_trees::place const& place, bool ends_at_last) {
        bool const has_left = place.left.member != 0;
        bool const sends = place.parent.member != 0 && (with_total || !ends_at_last);
        bool const has_right = place.right.member != 0 && (with_total || !ends_at_last);
        if (has_left) {
            auto const round = round_up(tree, place.left);
            auto const left = rank_of(place.left);
            if constexpr (with_prefix) {
                add(tree, order::receive, step::receive(round, left, kept, {}));
                // the last rank keeps what is left of it, and need not combine it with its own
                if (with_total || sends || place.right.member != 0) {
                    add(tree, order::after, step::combine(round, kept, own, {}, side::left));
                }
            } else {
                add(tree, order::receive, step::receive_combine(round, left, own, {}, side::left));
            }
        }
        if (has_right) {
            add(tree, order::receive, step::receive(round_up(tree, place.right), rank_of(place.right), passing, {}));
            if (sends) {
                add(tree, order::at_last,
                    step::combine(round_up(tree, place.parent) - 1, own, passing, {}, side::left));
            }
        }
        if (sends) {
            add(tree, order::send,
                step::send(round_up(tree, place.parent), rank_of(place.parent), has_right ? passing : own, {}));
        }
    }

    void down(std::size_t tree, two_trees::place const& place, bool begins_at_first) {
        bool const has_right = place.right.member != 0;
        if (!begins_at_first) {
            auto const round = round_down(place.parent);
            auto const parent = rank_of(place.parent);
            if (place.left.member != 0) {
                add(tree, order::receive, step::receive(round, parent, passing, {}));
                if (has_right || !with_prefix) {
                    add(tree, order::after, step::combine(round, passing, own, {}, side::left));
                }
                // in the next round, in which the rank is a leaf and has nothing to combine
                if (with_prefix) { add(tree, order::after, step::combine(round + 1, passing, kept, {}, side::left)); }
                add(tree, order::send, step::send(round_down(place.left), rank_of(place.left), passing, {}));
            } else if (with_prefix) {
                add(tree, order::receive, step::receive(round, parent, kept, {}));
                if (has_right) { add(tree, order::after, step::combine(round, kept, own, {}, side::left)); }
            } else {
                add(tree, order::receive, step::receive_combine(round, parent, own, {}, side::left));
            }
        }
        if (has_right) { add(tree, order::send, step::send(round_down(place.right), rank_of(place.right), own, {})); }
    }

    void total(std::size_t tree, two_trees::place const& place) {
        auto const children = std::array{place.left, place.right};
        if (place.parent.member != 0) {
            add(tree, order::receive,
                step::receive(round_of_total(tree, place.parent), rank_of(place.parent), own, {}));
        } else if (place.right.member != 0) {
            // not before: the right child is sent what is there until now
            auto const round =
                std::min(place.left.member != 0 ? place.left.round : place.right.round, place.right.round);
            add(tree, order::before, step::combine(round_of_total(tree, {0, round}), passing, own, {}, side::right));
        }
        for (auto const& child : children) {
            if (child.member == 0) { continue; }
            add(tree, order::send, step::send(round_of_total(tree, child), rank_of(child), own, {}));
        }
    }

    dynamic_array<move> moves_;
    std::size_t member_;
    std::size_t size_;
    std::size_t blocks_;
    std::size_t turn_ = 0;  // rounds up
    std::size_t rounds_ = 0;
};

template <class Scan>
    requires collective::is_scan<Scan>
[[nodiscard]] lazy_schedule generate(Scan, two_tree const&, problem const& at) {
    two_tree_scan<Scan> moves{at};
    auto const rounds = moves.rounds();
    auto const count = moves.count();
    return occupied(at.blocks, indexed_schedule(rounds, count, [all = std::move(moves)](std::size_t i) {
                        return all.at(i);
                    }));
}

}  // namespace tutti
