// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include <tutti/dynamic_array.hpp>
#include <tutti/generator.hpp>
#include <tutti/generator/pattern/tree/greedy.hpp>

namespace tutti::generators {

/// The rank of every machine of a tree, so that operands stay in rank order and machine 0 is rank `root`. Machine i > 0
/// sends to receiver[i] < i; a machine receives the child with the largest number first.
///
/// Every subtree is an interval of ranks, so that what a machine receives is adjacent to what it has: on either side
/// the child received first lies nearest. Machine 0 takes the subtrees of its children as they were added, the last
/// received first, to its left if they fit into what is left of the ranks below `root`, otherwise to its right; all
/// other machines have their children to the right.
/// Requires root < size, and that the walk ends with exactly `root` ranks below: of a greedy tree it does for any
/// root, since a child's subtree has at most one machine more than those of all later children together. Errors:
/// std::invalid_argument.
/// Cost: O(size). Source: [canon12], lemma 1: machines may be permuted.
[[nodiscard]] inline dynamic_array<std::size_t> tree_numbering(std::span<std::size_t const> receiver,
                                                               std::size_t root) {
    auto const size = receiver.size();
    dynamic_array<std::size_t> members(size, 1);
    for (auto machine = size; machine-- > 1;) { members[receiver[machine]] += members[machine]; }

    dynamic_array<std::size_t> rank(size);
    dynamic_array<std::size_t> last(size);  // per machine: one more than the ranks not given to a child yet
    std::size_t below = 0;                // ranks given to children on the left of machine 0
    rank[0] = root;
    last[0] = size;
    for (std::size_t machine = 1; machine < size; ++machine) {
        auto const parent = receiver[machine];
        if (parent == 0 && members[machine] <= root - below) {
            rank[machine] = below;
            below += members[machine];
            last[machine] = below;
        } else {
            last[machine] = last[parent];
            last[parent] -= members[machine];
            rank[machine] = last[parent];
        }
    }
    if (below != root) {
        throw std::invalid_argument{"tutti: this tree cannot keep operands in order for root " + std::to_string(root) +
                                    "; its subtrees do not add up to as many ranks"};
    }
    return rank;
}

/// The steps of one rank in a reduction up `tree`: it receives the whole vector from each of its children, the one
/// added last first, and then sends the combination to its parent.
///
/// Result: on the root x_0 ⊕ ... ⊕ x_{p-1}, operands in order. Rounds are counted back from the root's last receive;
/// a rank has one message a round.
/// Cost: O(p) on every rank.
[[nodiscard]] inline auto tree_schedule(greedy_tree const& tree, problem const& at) {
    auto const rounds = tree.rounds();
    block_list const whole{block_range{0, at.blocks.blocks()}};
    dynamic_array<step> steps;
    if (at.blocks.elements() != 0) {
        auto const rank = tree_numbering(tree.receiver, at.root);
        auto const self =
            static_cast<std::size_t>(std::distance(rank.begin(), std::find(rank.begin(), rank.end(), at.rank)));
        for (auto child = at.size - 1; child > self; --child) {
            if (tree.receiver[child] != self) { continue; }
            steps.push_back(step::receive_combine(rounds - tree.rounds_left[child], rank[child], buffer::result(),
                                                  whole, rank[child] < at.rank ? side::left : side::right));
        }
        if (self != 0) {
            steps.push_back(
                step::send(rounds - tree.rounds_left[self], rank[tree.receiver[self]], buffer::result(), whole));
        }
    }
    return stored_schedule(rounds, std::move(steps));
}

/// Generators that say who sends to whom, in a function tree_of(generator, size) beside them, and nothing else.
template <class Generator>
concept reduces_up_a_tree = requires(Generator const& generator, std::size_t size) {
    { tree_of(generator, size) } -> std::same_as<greedy_tree>;
};

/// When the root has the result, at the costs and under the limit that the tree of `size` ranks was grown for.
template <reduces_up_a_tree Generator>
[[nodiscard]] auto makespan_of(Generator const& generator, std::size_t size) {
    return tree_of(generator, size).makespan();
}

template <reduces_up_a_tree Generator>
[[nodiscard]] lazy_schedule generate(collective::reduce, Generator const& generator, problem const& at) {
    return generators::tree_schedule(tree_of(generator, at.size), at);
}

}  // namespace tutti::generators
