// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <tutti/cost/price.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/generator/named.hpp>
#include <tutti/generator/pattern/binary_tree_position.hpp>
#include <tutti/generator/pattern/two_trees.hpp>
#include <tutti/problem.hpp>

namespace tutti::generators {

/// Alternate blocks go up two different in-order trees, so that a rank receives a block and sends one in the same
/// round.
///
/// Root 0 or p-1: two trees over the other ranks, both tops children of the root; no rank is an inner node of both. If
/// a power of two of ranks share a switch, two of them exchange messages with other ranks in each tree.
/// Another root would receive at least two operands a block unless it sent its own, as ranks on both of its sides
/// contribute. So it sends its own: the trees are those of the other ranks, the root is a leaf in each, below one of
/// its neighbours, and their tops send it the result. Only the neighbours have a third child: three rounds for two
/// blocks. For few blocks, where one balanced binary tree on each side of the root takes no more rounds, it is used.
/// Cost in lock step, root 0: (n + 2k)(α + (β+γ)m/n). To generate: O(log p), and O(1) for each step.
/// Source: [sanders09]; the roots between are new. Counts of reduce, root 0 or p - 1: at most q + 2 L | m | 2 m.
/// Counts of reduce, other roots: at most 3 q/2 + 3 L | m | 2 m.
/// Picture: --collective reduce --algorithm two_tree --size 7 --blocks 3 --tcomm 1 --tcomp 0 --ports bidirectional
///     0  3b>2 4a>5
///     1  1b>2 2a>1 6a>5
///     2  2b>4 4c>5 5a>3
///     3  1a>3 2c>1 5b>6 6c>5
///     4  3a>0 5c>3 6b>4
///     5  1c>3 4b>0
///     6  3c>0
struct two_tree {
    std::size_t segments = 0;  ///< 0: blocks of 128 KiB
    friend bool operator==(two_tree const&, two_tree const&) = default;
};

constexpr facts describe(collective::reduce, std::type_identity<two_tree>) {
    return {.name = "two_tree"};
}

/// What one rank repeats: messages, each about every `trees`-th block, once in `period` rounds. Counted
/// from the end: the last block is block 0 of tree 0, and its message is `back` rounds before the last round.
class two_tree_messages {
public:
    struct message {
        action what;
        side operand;
        std::size_t peer;
        std::size_t tree;
        std::size_t back;
    };

    explicit two_tree_messages(problem const& at) : blocks_{at.blocks.blocks()} {
        if (at.size == 1 || blocks_ == 0) { return; }
        bool const root_inside = at.root != 0 && at.root != at.size - 1;
        period_ = root_inside ? 3 : 2;
        auto const trees = at.root == 0 ? two_trees{at.size, two_trees::root::first}
                                        : two_trees{at.size - 1, two_trees::root::outside, period_};
        rounds_ = rounds_of(trees, at.root, root_inside);
        if (root_inside) {
            binary_tree_position const place{at.rank, at.size, at.root};
            auto const rounds = place.rounds + 2 * (blocks_ - 1);
            if (rounds <= rounds_) {
                rounds_ = rounds;
                one_tree(place, at);
                return;
            }
        }
        for (std::size_t tree = 0; tree < 2; ++tree) {
            if (at.rank == at.root && at.root != 0) {
                root_in(trees, tree, at, root_inside);
            } else {
                member_in(trees, tree, at, root_inside);
            }
        }
        in_order_of_rounds();
    }

    [[nodiscard]] std::size_t rounds() const { return rounds_; }

    /// The messages of a whole period, once for each period: those outside the schedule have no blocks.
    [[nodiscard]] std::size_t count() const { return count_ * (rounds_ / period_ + 1); }

    [[nodiscard]] step at(std::size_t i) const {
        auto const& each = messages_[i % count_];
        auto const round = i / count_ * period_ + offset_of(each);
        block_list block;
        if (round + each.back < rounds_) {
            auto const later = (rounds_ - 1 - round - each.back) / period_ * trees_ + each.tree;
            if (later < blocks_) { block = blocks_ - 1 - later; }
        }
        return {each.what, each.operand, buffer::result(), {}, each.peer, round, block};
    }

private:
    /// Members of the trees are the ranks, without a root other than 0, counted from 1.
    [[nodiscard]] static std::size_t rank_of(std::size_t member, std::size_t root) {
        return root == 0 || member <= root ? member - 1 : member;
    }
    [[nodiscard]] static std::size_t member_of(std::size_t rank, std::size_t root) {
        return root == 0 || rank < root ? rank + 1 : rank;
    }

    /// The neighbour of a root inside that is a leaf of the tree, as a member: the root hangs below it.
    [[nodiscard]] static std::size_t entry(std::size_t tree, std::size_t root) {
        return tree == 0 ? root | 1 : root + root % 2;
    }

    /// The place of a member when the entry to tree 1, which is an inner node of tree 0, has to keep its rounds 1
    /// modulo 3 for the root: its child in those rounds goes one later, and is still before what is below it.
    [[nodiscard]] static two_trees::position place_of(two_trees const& trees, std::size_t tree, std::size_t member,
                                                   std::size_t root, bool root_inside) {
        auto result = trees.place_of(tree, member);
        if (!root_inside || tree == 1) { return result; }
        auto const inner = entry(1, root);
        auto const make_way = [](two_trees::edge& edge) { edge.round += edge.round % 3 == 1 ? 1 : 0; };
        if (member == inner) {
            make_way(result.left);
            make_way(result.right);
        }
        if (result.parent.member == inner) { make_way(result.parent); }
        return result;
    }

    /// When the root inside, a leaf, sends its own operand: in rounds 2 modulo 3 in tree 0, 1 modulo 3 in tree 1.
    [[nodiscard]] static std::size_t entry_round(two_trees const& trees, std::size_t tree, std::size_t root) {
        auto round = place_of(trees, tree, entry(tree, root), root, true).parent.round + 1;
        while (round % 3 != 2 - tree) { ++round; }
        return round;
    }

    [[nodiscard]] std::size_t rounds_of(two_trees const& trees, std::size_t root, bool root_inside) const {
        std::size_t rounds = 0;
        for (std::size_t tree = 0; tree < std::min<std::size_t>(blocks_, 2); ++tree) {
            auto last = trees.last_round(tree);
            if (root_inside) {
                auto const inner = place_of(trees, tree, entry(1, root), root, true);
                last = std::max({last, inner.left.round, inner.right.round, entry_round(trees, tree, root)});
            }
            rounds = std::max(rounds, last + (blocks_ - 1 - tree) / 2 * period_ + 1);
        }
        return rounds;
    }

    void add(message const& each) { messages_[count_++] = each; }

    void root_in(two_trees const& trees, std::size_t tree, problem const& at, bool root_inside) {
        auto const top = rank_of(trees.top(tree), at.root);
        if (!root_inside) {
            add({action::receive_combine, side::left, top, tree, tree});
            return;
        }
        add({action::receive, side::right, top, tree, tree});
        add({action::send, side::right, rank_of(entry(tree, at.root), at.root), tree,
             entry_round(trees, tree, at.root)});
    }

    void member_in(two_trees const& trees, std::size_t tree, problem const& at, bool root_inside) {
        auto const member = member_of(at.rank, at.root);
        auto const place = place_of(trees, tree, member, at.root, root_inside);
        auto const receive = [&](two_trees::edge const& child, side operand) {
            if (child.member == 0) { return; }
            add({action::receive_combine, operand, rank_of(child.member, at.root), tree, child.round});
        };
        receive(place.left, side::left);
        receive(place.right, side::right);
        if (root_inside && member == entry(tree, at.root)) {
            add({action::receive_combine, at.rank < at.root ? side::right : side::left, at.root, tree,
                 entry_round(trees, tree, at.root)});
        }
        if (at.rank == at.root) { return; }
        auto const parent = place.parent.member == 0 ? at.root : rank_of(place.parent.member, at.root);
        add({action::send, side::right, parent, tree, place.parent.round});
    }

    /// A binary tree as messages about every block.
    void one_tree(binary_tree_position const& place, problem const& at) {
        trees_ = 1;
        period_ = 2;
        for (std::size_t turn = 0; turn < 2; ++turn) {
            auto const& child = place.children[turn];
            if (child.size == 0) { continue; }
            add({action::receive_combine, child.grows, child.top, 0, place.rounds - 1 - (place.complete - 2 + turn)});
        }
        if (at.rank != at.root) {
            add({action::send, side::right, place.parent, 0, place.rounds - 1 - place.complete});
        }
        in_order_of_rounds();
    }

    [[nodiscard]] std::size_t offset_of(message const& each) const {
        return (rounds_ - 1 + period_ * each.back - each.back) % period_;
    }

    /// In each round a rank sends before it receives: otherwise ranks could wait in a cycle that the root closes.
    void in_order_of_rounds() {
        auto const place = [&](message const& each) { return std::pair{offset_of(each), each.what != action::send}; };
        std::sort(messages_.begin(), messages_.begin() + static_cast<std::ptrdiff_t>(count_),
                  [&](message const& a, message const& b) { return place(a) < place(b); });
    }

    std::array<message, 5> messages_{};
    std::size_t count_ = 0;
    std::size_t trees_ = 2;
    std::size_t period_ = 2;
    std::size_t blocks_;
    std::size_t rounds_ = 0;
};

[[nodiscard]] inline lazy_schedule generate(collective::reduce, two_tree const&, problem const& at) {
    two_tree_messages const messages{at};
    return without_empty_blocks(at.blocks, indexed_schedule(messages.rounds(), messages.count(),
                                                [messages](std::size_t i) { return messages.at(i); }));
}

/// Scans up and down two in-order trees, every other block in each: up, a rank combines its left subtree L, its own x
/// and its right subtree; down, it receives the product P of all ranks left of its subtree.
///
/// A rank passes P to its left child and P ⊕ L ⊕ x to its right child. No rank sends an empty P, nor, unless the
/// total is wanted, the product of a subtree that ends at rank p-1. The tops send the total down behind the last P,
/// without a pause.
/// Result: on rank r x_0 ⊕ ... ⊕ x_{r-1}, that ⊕ x_r, or the former and the total, of which all ranks have one tree.
/// A rank combines each block at most four times in the tree of which it is an inner node, and once in the other.
/// Cost in lock step: (n + 2q)(2α + (2β + 3γ)m/n), for the total (n + 1)(α + βm/n) more.
/// To generate: O(log p), and O(1) for each step.
/// Source: [sanders09]; the total is new. Counts of scans, q even: at most 2 q + 4 (L - 1) | at most 2 m | at most 2 m.
/// Counts of scan_reduce, q even: at most 3 q + 4 (L - 1) | at most 3 m | at most 2 m.
template <collective::scan_collective Scan>
constexpr facts describe(Scan, std::type_identity<two_tree>) {
    return {.name = "two_tree"};
}

/// What one rank repeats for every other block, once in two rounds.
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

    /// All steps, once for every two rounds: those that are not due have no blocks.
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

    /// In each round a rank sends before it receives: otherwise ranks could wait in a cycle.
    enum class order : std::uint8_t { before, send, receive, after, at_last };

    struct move {
        using relocates_as_bytes = void;

        step first;  // with the tree's first block
        std::size_t tree;
        order turn;
    };

    [[nodiscard]] std::size_t blocks_of(std::size_t tree) const { return (blocks_ + 1 - tree) / 2; }

    [[nodiscard]] static std::size_t rank_of(two_trees::edge const& to) { return to.member - 1; }

    /// The round in which the tree's first block crosses an edge: up, the last block arrives when the way down begins.
    [[nodiscard]] std::size_t round_up(std::size_t tree, two_trees::edge const& along) const {
        return turn_ - 1 - along.round - 2 * (blocks_of(tree) - 1);
    }
    [[nodiscard]] std::size_t round_down(two_trees::edge const& along) const { return turn_ + along.round; }
    [[nodiscard]] std::size_t round_of_total(std::size_t tree, two_trees::edge const& along) const {
        return round_down(along) + 2 * blocks_of(tree);
    }

    void add(std::size_t tree, order turn, step first) { moves_.push_back({std::move(first), tree, turn}); }

    void up(std::size_t tree, two_trees::position const& place, bool ends_at_last) {
        bool const has_left = place.left.member != 0;
        bool const sends = place.parent.member != 0 && (with_total || !ends_at_last);
        bool const has_right = place.right.member != 0 && (with_total || !ends_at_last);
        if (has_left) {
            auto const round = round_up(tree, place.left);
            auto const left = rank_of(place.left);
            if constexpr (with_prefix) {
                add(tree, order::receive, step::receive(round, left, kept, {}));
                // the last rank stores the prefix, and need not combine it with its own operand
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

    void down(std::size_t tree, two_trees::position const& place, bool begins_at_first) {
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

    void total(std::size_t tree, two_trees::position const& place) {
        auto const children = std::array{place.left, place.right};
        if (place.parent.member != 0) {
            add(tree, order::receive,
                step::receive(round_of_total(tree, place.parent), rank_of(place.parent), own, {}));
        } else if (place.right.member != 0) {
            // not before: until now this buffer is sent to the right child
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
    return schedules::without_empty_blocks(
        at.blocks,
        schedules::indexed_schedule(rounds, count, [all = std::move(moves)](std::size_t i) { return all.at(i); }));
}

/// A segment arrives from both children, while those of the other tree wait.
[[nodiscard, gnu::cold]] inline double time_of(collective::reduce, two_tree const& generator,
                                               pricing::message_costs const& costs, call_parameters const& now) {
    return pricing::time_of_segments(generator.segments,
                            {.hops = 1.25 * pricing::log2_of(now.size) + 0.5,
                             .combines = 2.5,
                             .combines_at_once = now.fitted().two_trees,
                             .contention_factor = pricing::segment_contention(now)},
                            costs, now);
}

/// Small trees have fewer inner ranks. Of three ranks one is in the middle of each tree; in an exclusive scan it
/// combines every other segment.
template <collective::scan_collective Scan>
[[nodiscard, gnu::cold]] double time_of(Scan, two_tree const& generator, pricing::message_costs const& costs,
                                        call_parameters const& now) {
    constexpr double results = collective::results_of<Scan>;
    auto const size = static_cast<double>(now.size);
    auto const messages = std::max(now.fitted().messages_of_two_tree_scans * (1 - 1 / size) * (1 - 1 / size), 1.0);
    bool const one_level = now.size <= 3;
    pricing::pipeline_cost cost{.hops = one_level ? results * (size - 1) : 2 * pricing::log2_of(now.size),
                       .messages = messages + results - 1,
                       .kept = results - 1,
                       .contention_factor = pricing::segment_contention(now)};
    if (one_level && std::same_as<Scan, collective::exclusive_scan>) { cost.kept = messages / 2; }
    return pricing::time_of_segments(generator.segments, cost, costs.whole(), now);
}

}  // namespace tutti::generators

namespace tutti {
using generators::two_tree;
}  // namespace tutti
