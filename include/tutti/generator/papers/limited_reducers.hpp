// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <type_traits>

#include <tutti/generator/named.hpp>
#include <tutti/generator/pattern/tree/greedy.hpp>
#include <tutti/generator/pattern/tree/schedule.hpp>

namespace tutti::generators {

/// The whole vector moves up the tree that is shortest if ranks combine while the next message arrives and at most
/// `at_most` ranks, including the root, receive and combine.
///
/// A message takes `transfer` and a combination `combine`, in any common unit; only their ratio matters. A rank sends
/// once, after its last combination, and takes part in one transfer at a time. From p/2 on the limit has no effect.
/// Requires at_most > 0, else std::invalid_argument. The root does not matter to the length.
/// Cost: length(g, p) <= (f + ⌈(p - 2^f) / at_most⌉) (transfer + combine), f = ⌊log2 at_most⌋ + 1, p >= 2 at_most;
/// with transfer >= combine it is the tree of limited_transfers with the same limit.
/// Cost to generate: O(p) on every rank. Source: [canon12], algorithm 3.
/// Counts of reduce: the shortest tree for few ranks that receive | m | up to (p - 1) m.
struct limited_reducers {
    std::size_t at_most = 4;
    std::size_t transfer = 1;
    std::size_t combine = 1;
    friend bool operator==(limited_reducers const&, limited_reducers const&) = default;
};

constexpr facts describe(collective::reduce, std::type_identity<limited_reducers>) {
    return {.name = "limited_reducers", .model = ports::overlapped};
}

/// The tree: who sends to whom. Its first n ranks are the tree of n ranks.
[[nodiscard]] inline greedy_tree tree_of(limited_reducers const& limit, std::size_t size) {
    if (limit.at_most == 0) {
        throw std::invalid_argument{"tutti: limited_reducers needs the root to receive; at_most is at least 1"};
    }
    return grow_greedy_tree({limit.transfer, limit.combine}, size, {.receivers = limit.at_most});
}

}  // namespace tutti::generators

namespace tutti {
using generators::limited_reducers;
}  // namespace tutti
