// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include <tutti/communicator.hpp>
#include <tutti/communicator/call.hpp>
#include <tutti/execution/check_call.hpp>
#include <tutti/execution/default_algorithm.hpp>
#include <tutti/execution/options.hpp>
#include <tutti/node_map.hpp>

namespace tutti::engine {

template <class C>
void set_execution(C& ranks, execution const& chosen) {
    std::uint64_t arguments = 0;
    for (auto const each : {std::int64_t{chosen.ready_mode}, std::int64_t{chosen.check_calls},
                            std::int64_t{chosen.shared_memory ? static_cast<int>(*chosen.shared_memory) : -1},
                            std::int64_t{chosen.reproducible.hold != nullptr}, std::int64_t{chosen.timeout.count()}}) {
        arguments = control::digest_with(arguments, static_cast<std::uint64_t>(each));
    }
    control::enter_together(ranks, control::call::named("configure", arguments));
    if (ranks.ready_mode() != chosen.ready_mode) { ranks.supervisor().begin_generation(); }
    ranks.ready_mode(chosen.ready_mode);
    if (chosen.shared_memory) { ranks.sharing(*chosen.shared_memory); }
    ranks.supervisor().set_hook(control::call_hook::comparing, chosen.check_calls && !C::compares_calls);
    default_algorithm::set(ranks, {chosen.reproducible.hold});
    ranks.supervisor().time_limit(std::chrono::duration<double>{chosen.timeout}.count());
}

template <class C>
void set_nodes(C& ranks, node_map const& nodes) {
    auto const size = static_cast<std::size_t>(ranks.size());
    auto arguments = control::digest_with(nodes.names_ranks(), nodes.processors());
    for (std::size_t rank = 0; nodes.is_for(size) && rank != size; ++rank) {
        arguments = control::digest_with(arguments, nodes.node_of(rank));
    }
    control::enter_together(ranks, control::call::named("configure", arguments));
    ranks.nodes(nodes);
    ranks.supervisor().begin_generation();
}

}  // namespace tutti::engine
