// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <chrono>

#include <tutti/communicator.hpp>
#include <tutti/execution/default_algorithm.hpp>
#include <tutti/execution/options.hpp>
#include <tutti/node_map.hpp>

namespace tutti {

template <class C>
void set_execution(C& ranks, execution const& chosen) {
    if (ranks.ready_mode() != chosen.ready_mode) { ranks.supervisor().begin_generation(); }
    ranks.ready_mode(chosen.ready_mode);
    if (chosen.shared_memory) { ranks.sharing(*chosen.shared_memory); }
    ranks.supervisor().watch(call_watch::comparing, chosen.check_calls && !C::compares_calls);
    default_algorithm::set(ranks, {chosen.reproducible.hold});
    ranks.supervisor().time_limit(std::chrono::duration<double>{chosen.timeout}.count());
}

template <class C>
void set_nodes(C& ranks, node_map const& nodes) {
    ranks.nodes(nodes);
    ranks.supervisor().begin_generation();
}

}  // namespace tutti
