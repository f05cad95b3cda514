// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>

#include <tutti/collective.hpp>
#include <tutti/cost/call_parameters.hpp>
#include <tutti/cost/machine.hpp>
#include <tutti/generator/any_generator.hpp>
#include <tutti/partition.hpp>
#include <tutti/problem.hpp>

namespace tutti::selection {

/// What a call takes that takes `alone` where every rank has a processor. Where ranks share processors it takes no less
/// than all that these have to do for it: to handle, copy and combine the messages of all ranks. And a rank has a turn
/// of its processor at first, and another one whenever it has sent and then waits for what comes back: the others on
/// its processor have theirs between. In a chain or a tree towards the root every rank runs once. Unless that is part
/// of what was measured while all ranks sent at once.
/// Cost: the schedules of all ranks, where ranks share processors.
template <class Collective>
[[nodiscard, gnu::cold]] double time_in_turns(generators::any_generator<Collective> const& generator,
                                              call_parameters const& now, double alone) {
    auto const sharing = now.ranks_per_processor();
    if (sharing <= 1) { return alone; }
    auto const wanted = generator.blocks(now.size, now.bytes);
    auto const cut = partition::equal(now.bytes, std::max<std::size_t>(
                                                     collective::divides<Collective> ? wanted / now.size * now.size
                                                                                     : std::min(wanted, now.bytes), 1));
    auto const& link = now.machine->within_node;
    double work = 0;
    std::size_t turns = 0;  // of the rank that has most
    for (std::size_t rank = 0; rank != now.size; ++rank) {
        auto const schedule = generator.schedule_of({rank, now.size, 0, cut});
        std::size_t own_turns = 1;
        bool has_sent = false;
        for (step const& each : schedule) {
            if (each.receives() && std::exchange(has_sent, false)) { ++own_turns; }
            has_sent = has_sent || each.what == action::send;
            std::size_t bytes = 0;
            for (auto const& range : each.blocks) { bytes += cut.size(range.first, range.last); }
            auto const length = static_cast<double>(bytes);
            if (each.communicates()) { work += link.overhead + now.machine->handling; }
            if (each.receives()) { work += length * link.per_byte; }
            if (each.combines()) { work += length * now.combine_per_byte; }
        }
        turns = std::max(turns, own_turns);
    }
    auto const processors = static_cast<double>(now.size) / sharing;
    auto const turn = now.machine->distances.empty() ? machine_model::usual_turn : 0;
    return std::max(alone, work / processors) + static_cast<double>(turns) * (sharing - 1) * turn;
}

}  // namespace tutti::selection
