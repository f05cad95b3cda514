// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>

#include <tutti/dynamic_array.hpp>

namespace tutti::control {

/// The binomial tree over the ranks with rank 0 as its root: the parent of a rank is its number without the lowest bit
/// that is set, and its children differ from it by one of the bits below that.
/// Source: [thakur05], as MPIR_Bcast_intra_binomial of MPICH.
struct binomial_tree {
    int rank;
    int size;

    [[nodiscard]] bool has_parent() const { return rank != 0; }
    [[nodiscard]] int parent() const { return rank & (rank - 1); }

    /// The child with the fewest ranks below it first: so they are ready.
    [[nodiscard]] dynamic_array<int> children() const {
        dynamic_array<int> result;
        int const lowest = rank == 0 ? size : rank & -rank;
        for (int bit = 1; bit < lowest && bit < size - rank; bit *= 2) { result.push_back(rank + bit); }
        return result;
    }
    /// The child with the most ranks below it first.
    [[nodiscard]] dynamic_array<int> longest_first() const {
        auto result = children();
        std::reverse(result.begin(), result.end());
        return result;
    }
};

/// Reduces a message of each rank to the root of the tree by `combine(mine, theirs)`; `send(peer, message)` and
/// `receive(peer, message)` wait. So it fails where these do, which a collective of MPI would not; then a message may
/// still come to `theirs`, which is for those of others.
/// Cost: ⌈log2 p⌉ messages one after the other.
template <class Message, class Combine, class Send, class Receive>
void reduce(binomial_tree const& tree, Message& mine, Message& theirs, Combine combine, Send send, Receive receive) {
    for (int const child : tree.children()) {
        receive(child, theirs);
        combine(mine, theirs);
    }
    if (tree.has_parent()) { send(tree.parent(), mine); }
}

/// The same to all ranks, up the tree and down again: twice the messages.
template <class Message, class Combine, class Send, class Receive>
void all_reduce(binomial_tree const& tree, Message& mine, Message& theirs, Combine combine, Send send,
                Receive receive) {
    control::reduce(tree, mine, theirs, combine, send, receive);
    if (tree.has_parent()) { receive(tree.parent(), mine); }
    for (int const child : tree.longest_first()) { send(child, mine); }
}

/// Element by element the better of two messages of equal length, for `reduce`.
template <class Better>
[[nodiscard]] auto each_by(Better better) {
    return [=](auto& mine, auto const& theirs) {
        for (std::size_t i = 0; i != mine.size(); ++i) {
            if (better(theirs[i], mine[i])) { mine[i] = theirs[i]; }
        }
    };
}

}  // namespace tutti::control
