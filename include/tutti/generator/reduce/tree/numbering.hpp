// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>

#include <tutti/dynamic_array.hpp>

namespace tutti {

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
/// Cost: O(size). Source: Canon and Antoniu, lemma 1, which says that machines may be permuted.
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

}  // namespace tutti
