// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>

#include <tutti/node_map.hpp>

namespace tutti::threads {

/// A rank that knows which ranks share a node: all threads do, unless a node map is set.
class node_info {
public:
    node_info(int size, node_map const& map) : size_{static_cast<std::size_t>(size)} { nodes(map); }

    [[nodiscard]] node_map const& nodes() const noexcept { return nodes_; }
    void nodes(node_map const& map) {
        map.check(size_);
        nodes_ = map;
    }

private:
    std::size_t size_;
    node_map nodes_;
};

}  // namespace tutti::threads
