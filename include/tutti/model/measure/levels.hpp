// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <optional>

#include <tutti/communicator.hpp>
#include <tutti/node_map.hpp>

namespace tutti::measuring {

/// Two ranks; the lower one asks.
struct pair {
    int asking = 0;
    int answering = 0;

    friend bool operator==(pair const&, pair const&) = default;
};

/// The pairs of ranks between which messages are timed.
struct levels {
    std::optional<pair> between_nodes = std::nullopt;
    std::optional<pair> within_node = std::nullopt;

    friend bool operator==(levels const&, levels const&) = default;
};

/// The first ranks of the first two nodes, and the first two ranks of the first node that has two.
[[nodiscard]] inline levels levels_of(node_map const& nodes, std::size_t size) {
    levels result;
    auto const rank_at = [&](std::size_t position) { return static_cast<int>(nodes.rank_at(position)); };
    auto const count = nodes.count(size);
    if (count > 1) { result.between_nodes = {rank_at(nodes.first(0)), rank_at(nodes.first(1))}; }
    for (std::size_t node = 0; node < count; ++node) {
        if (nodes.ranks_on(node, size) < 2) { continue; }
        result.within_node = {rank_at(nodes.first(node)), rank_at(nodes.first(node) + 1)};
        break;
    }
    return result;
}

/// Those of a communicator; one that cannot tell nodes has one pair for all.
template <communicator C>
[[nodiscard]] levels levels_of(C& ranks) {
    if constexpr (tells_nodes<C>) {
        return levels_of(ranks.nodes(), static_cast<std::size_t>(ranks.size()));
    } else {
        return ranks.size() > 1 ? levels{.between_nodes = pair{0, 1}} : levels{};
    }
}

}  // namespace tutti::measuring
