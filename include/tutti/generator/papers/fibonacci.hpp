// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <type_traits>

#include <tutti/generator/named.hpp>
#include <tutti/generator/pattern/tree/greedy.hpp>
#include <tutti/generator/pattern/tree/schedule.hpp>

namespace tutti::generators {

/// The whole vector moves up a Fibonacci tree: a tree of F_{k+2} ranks is a tree of F_{k+1} ranks whose root then
/// receives from the root of a tree of F_k. Other sizes have the first part of the next larger tree.
///
/// Cost: for p = F_{k+2} (F_1 = F_2 = 1) transfers of d and combinations of c that overlap take
/// d + (k-1) max(d,c) + c; nothing is shorter if d = c; at other costs it is at most twice as long as the shortest.
/// Cost to generate: O(p) on every rank. Source: [canon12], section 5.
/// Counts of reduce: the shortest tree for ranks that combine while they receive | m | at most 2 L m.
struct fibonacci {
    friend bool operator==(fibonacci const&, fibonacci const&) = default;
};

constexpr facts describe(collective::reduce, std::type_identity<fibonacci>) {
    return {.name = "fibonacci", .model = ports::overlapped};
}

/// The tree: who sends to whom. Its first n ranks are the tree of n ranks.
[[nodiscard]] inline greedy_tree tree_of(fibonacci const&, std::size_t size) {
    return grow_greedy_tree({.transfer = 1, .combine = 1}, size);
}

}  // namespace tutti::generators

namespace tutti {
using generators::fibonacci;
}  // namespace tutti
