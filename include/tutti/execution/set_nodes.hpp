// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/communicator.hpp>
#include <tutti/execution/configure.hpp>
#include <tutti/node_map.hpp>

namespace tutti {

template <class C>
void set_nodes(C& ranks, node_map const& nodes) {
    static_assert(tells_nodes<C>, "tutti: the ranks of this world know of no nodes; give its communicator nodes()");
    if constexpr (tells_nodes<C>) {
        ranks.nodes(nodes);
        ranks.attached().begin_generation();
    }
}

}  // namespace tutti
