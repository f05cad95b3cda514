// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <type_traits>

#include <tutti/generator/named.hpp>
#include <tutti/generator/pattern/tree/greedy.hpp>
#include <tutti/generator/pattern/tree/schedule.hpp>

namespace tutti::generators {

/// The whole vector moves up the tree that is shortest if ranks combine while the next message arrives.
///
/// A message takes `transfer` and a combination `combine`, in any common unit; only their ratio matters. A rank sends
/// once, after its last combination, and takes part in one transfer at a time.
/// Requires that one of them is not 0, else std::invalid_argument when schedules are generated.
/// Cost, for any root: between ⌈log2 p⌉ max(transfer, combine) and ⌈log2 p⌉ (transfer + combine); no reduction without
/// segments is shorter. If transfer = combine it is the Fibonacci tree, if one is 0 the binomial one, where p allows.
/// Cost to generate: O(p) on every rank. Source: [canon12], algorithm 1.
/// Counts of reduce: the shortest tree for ranks that combine while they receive | m | at most 2 L m.
struct overlapped_greedy {
    std::size_t transfer = 1;
    std::size_t combine = 1;

    /// The tree for transfers that take no time: at other costs at most (1 + min/max) times as long as the shortest.
    [[nodiscard]] static constexpr overlapped_greedy binomial_strategy() { return {.transfer = 0, .combine = 1}; }

    friend bool operator==(overlapped_greedy const&, overlapped_greedy const&) = default;
};

constexpr facts describe(collective::reduce, std::type_identity<overlapped_greedy>) {
    return {.name = "overlapped_greedy", .model = ports::overlapped};
}

/// The tree: who sends to whom. Its first n ranks are the tree of n ranks.
[[nodiscard]] inline greedy_tree tree_of(overlapped_greedy const& costs, std::size_t size) {
    return grow_greedy_tree({costs.transfer, costs.combine}, size);
}

}  // namespace tutti::generators

namespace tutti {
using generators::overlapped_greedy;
}  // namespace tutti
