// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

#include <tutti/generator.hpp>
#include <tutti/generator/reduce/tree/greedy.hpp>
#include <tutti/generator/reduce/tree/numbering.hpp>

namespace tutti {

/// What one rank does in a reduction up `tree`: it receives the whole vector from each of its children, the one that
/// was added last first, then sends it to its parent.
///
/// Result: on the root x_0 ⊕ ... ⊕ x_{p-1}, operands in order. Rounds are counted back from the root's last receive;
/// a rank has one message a round.
/// Cost: O(p) on every rank.
template <class Time>
[[nodiscard]] auto tree_schedule(timed_tree<Time> const& tree, problem const& at) {
    auto const rounds = tree.rounds();
    block_list const whole{block_range{0, at.blocks.blocks()}};
    std::vector<step> steps;
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

template <class Tree>
concept grown_tree = std::same_as<Tree, timed_tree<typename Tree::time>>;

/// Generators that say who sends to whom, in a function tree_of(generator, size) beside them, and nothing else.
template <class Generator>
concept reduces_up_a_tree = requires(Generator const& generator, std::size_t size) {
    { tree_of(generator, size) } -> grown_tree;
};

/// When the root has the result, at the costs and under the limit that the tree of `size` ranks was grown for.
template <reduces_up_a_tree Generator>
[[nodiscard]] auto length(Generator const& generator, std::size_t size) {
    return tree_of(generator, size).length();
}

template <reduces_up_a_tree Generator>
[[nodiscard]] lazy_schedule generate(collective::reduce, Generator const& generator, problem const& at) {
    return tree_schedule(tree_of(generator, at.size), at);
}

}  // namespace tutti
