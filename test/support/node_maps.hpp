// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <vector>

#include <laws/schedule_laws.hpp>
#include <tutti/node_map.hpp>

/// Nodes to test algorithms on.
namespace support {

/// Neighbours share a node; node k has widths[k mod n] ranks, as far as there are ranks.
[[nodiscard]] inline tutti::node_map nodes_of_widths(std::vector<std::size_t> const& widths, std::size_t size) {
    std::vector<std::size_t> nodes;
    for (std::size_t node = 0; nodes.size() < size; ++node) {
        for (std::size_t i = 0; i < widths[node % widths.size()] && nodes.size() < size; ++i) { nodes.push_back(node); }
    }
    return tutti::node_map{nodes};
}

/// Ranks are dealt out to `count` nodes in turn.
[[nodiscard]] inline tutti::node_map dealt_out(std::size_t count, std::size_t size) {
    std::vector<std::size_t> nodes;
    for (std::size_t rank = 0; rank < size; ++rank) { nodes.push_back(rank % count); }
    return tutti::node_map{nodes};
}

/// Nodes of neighbours: all ranks on one, each on its own, equal ones, the last one smaller, and all sizes mixed.
[[nodiscard]] inline std::vector<tutti::node_map> nodes_of_neighbours(std::size_t size) {
    return {tutti::node_map{},
            tutti::node_map::of_width(1),
            tutti::node_map::of_width(2),
            tutti::node_map::of_width(5),
            tutti::node_map::of_width((size + 1) / 2),
            nodes_of_widths({3, 1, 4}, size),
            nodes_of_widths({1, 1, 2, 7}, size)};
}

/// Nodes of neighbours, the same number of them on each.
[[nodiscard]] inline std::vector<tutti::node_map> equal_nodes(std::size_t size) {
    std::vector<tutti::node_map> result{tutti::node_map{}};
    for (std::size_t width = 1; width <= size; ++width) {
        if (size % width == 0 && (size <= 33 || width * width <= 2 * size)) {
            result.push_back(width % 2 == 0 ? tutti::node_map::of_width(width) : nodes_of_widths({width}, size));
        }
    }
    return result;
}

/// All small sizes, and some up to 64.
inline std::vector<std::size_t> const few_sizes{1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13,
                                                14, 15, 16, 18, 21, 24, 25, 27, 30, 33, 36, 48, 64};

/// The laws for `make(map)` on all maps of `maps_of(size)`, for few sizes up to laws::most_ranks.
template <class Collective, class Make, class Maps>
void check_on_nodes(Collective which, Make make, Maps maps_of, std::vector<tutti::partition> const& cuts = laws::cuts) {
    for (auto const size : few_sizes) {
        if (size > laws::most_ranks) { return; }
        for (auto const& nodes : maps_of(size)) {
            laws::check_schedules(which, make(nodes), {size}, cuts);
            laws::check_lengths(which, make(nodes), {size});
        }
    }
}

}  // namespace support
