// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <chrono>
#include <stdexcept>

#include <tutti/communicator.hpp>
#include <tutti/execution/configure.hpp>
#include <tutti/execution/default_algorithm.hpp>
#include <tutti/node_map.hpp>

namespace tutti {

template <class C>
void set_execution(C& ranks, execution const& chosen) {
    if constexpr (sends_ready<C>) {
        if (ranks.ready_mode() != chosen.ready_mode) { ranks.supervisor().begin_generation(); }
        ranks.ready_mode(chosen.ready_mode);
    } else if (chosen.ready_mode) {
        throw std::invalid_argument{
            "tutti: the ranks of this world have no ready mode (they read what they receive where the sender has it); "
            "configure an MPI_Comm or a boost::mpi::communicator, and leave others as they are"};
    }
    if constexpr (may_share_memory<C>) {
        if (chosen.shared_memory) { ranks.sharing(*chosen.shared_memory); }
    }
    ranks.supervisor().watch(call_watch::comparing, chosen.check_calls);
    default_algorithm::set(ranks, {chosen.reproducible.hold});
    ranks.supervisor().time_limit(std::chrono::duration<double>{chosen.timeout}.count());
}

template <class C>
void set_nodes(C& ranks, node_map const& nodes) {
    ranks.nodes(nodes);
    ranks.supervisor().begin_generation();
}

}  // namespace tutti
