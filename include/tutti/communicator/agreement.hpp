// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

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

/// Word by word the least of what all ranks say, on all of them, up the tree and down again; `send(peer, words)` and
/// `receive(peer, words)` wait. So it fails where these do, which a collective of MPI would not; then a message may
/// still come to `theirs`, which is for those of others.
/// Cost: 2 ⌈log2 p⌉ messages one after the other.
template <std::size_t count, class Send, class Receive>
void agree_on_least(int rank, int size, std::array<std::int64_t, count>& words,
                    std::array<std::int64_t, count>& theirs, Send send, Receive receive) {
    binomial_tree const tree{rank, size};
    for (int const child : tree.children()) {
        receive(child, theirs);
        for (std::size_t i = 0; i != count; ++i) { words[i] = std::min(words[i], theirs[i]); }
    }
    if (tree.has_parent()) {
        send(tree.parent(), words);
        receive(tree.parent(), words);
    }
    for (int const child : tree.longest_first()) { send(child, words); }
}

}  // namespace tutti::control
