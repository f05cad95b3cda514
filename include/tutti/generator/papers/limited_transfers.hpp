// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <type_traits>

#include <tutti/generator/named.hpp>
#include <tutti/generator/pattern/tree/greedy.hpp>
#include <tutti/generator/pattern/tree/schedule.hpp>

namespace tutti::generators {

/// The whole vector moves up the tree that is shortest if ranks combine while the next message arrives and a network
/// carries at most `at_most` messages at a time.
///
/// A message takes `transfer` and a combination `combine`, in any common unit; only their ratio matters. A rank sends
/// once, after its last combination, and takes part in one transfer at a time. A round has at most `at_most` messages;
/// rounds are no barriers: the network holds back ranks that are early, cost_model::transfers_at_once in a simulation.
/// Where it does not, ranks take no longer. From p/2 on the limit has no effect.
/// Requires at_most > 0, else std::invalid_argument. The root does not matter to the length.
/// Cost: length(g, p) <= (f + ⌈(p - 2^f) / at_most⌉) (transfer + combine), f = ⌊log2 at_most⌋ + 1, p >= 2 at_most.
/// Cost to generate: O(p) on every rank, see grow_greedy_tree. Source: [canon12], algorithm 2.
/// Counts of reduce: the shortest tree for a network that carries few messages at a time | m | up to (p - 1) m.
struct limited_transfers {
    std::size_t at_most = 4;
    std::size_t transfer = 1;
    std::size_t combine = 1;
    friend bool operator==(limited_transfers const&, limited_transfers const&) = default;
};

constexpr facts describe(collective::reduce, std::type_identity<limited_transfers>) {
    return {.name = "limited_transfers", .model = ports::overlapped};
}

[[nodiscard]] constexpr std::size_t transfers_at_once(limited_transfers const& limited) { return limited.at_most; }

/// The tree: who sends to whom, and when at the latest under the limit. Its first n ranks are the tree of n ranks.
[[nodiscard]] inline greedy_tree tree_of(limited_transfers const& limit, std::size_t size) {
    if (limit.at_most == 0) {
        throw std::invalid_argument{"tutti: limited_transfers without any transfer reduces nothing; at_most is at "
                                    "least 1"};
    }
    return grow_greedy_tree({limit.transfer, limit.combine}, size, {.transfers = limit.at_most});
}

}  // namespace tutti::generators

namespace tutti {
using generators::limited_transfers;
}  // namespace tutti
