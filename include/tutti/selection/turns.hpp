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

/// What the processor of a rank does in a schedule.
struct rank_work {
    double seconds = 0;
    double outside = 0;     ///< of these, for messages that leave a process of several threads
    std::size_t turns = 1;  ///< the first, and one whenever it has sent and then waits for what comes back
};

/// To handle, copy and combine messages. What threads of a process lend each other is combined while it is read; what
/// leaves their process is copied by sender and receiver.
template <class Steps>
[[nodiscard, gnu::cold]] rank_work work_of(Steps const& schedule, std::size_t rank, partition const& cut,
                                           call_parameters const& now) {
    auto const& link = now.machine->within_node;
    rank_work result;
    bool has_sent = false;
    for (step const& each : schedule) {
        if (each.receives() && std::exchange(has_sent, false)) { ++result.turns; }
        has_sent = has_sent || each.what == action::send;
        std::size_t bytes = 0;
        for (auto const& range : each.blocks) { bytes += cut.size(range.first, range.last); }
        auto const length = static_cast<double>(bytes);
        auto combining = each.combines() ? now.combine_per_byte : 0;
        if (each.communicates()) {
            bool const is_inside = now.nodes.node_of(rank) == now.nodes.node_of(each.peer);
            bool const is_copied = each.receives() || (now.lends_objects && !is_inside);
            auto const moving = link.overhead + now.machine->handling + (is_copied ? length * link.per_byte : 0);
            result.seconds += moving;
            if (!is_inside) { result.outside += moving; }
            if (now.lends_objects && is_inside) { combining = std::max(combining - link.per_byte, 0.0); }
        }
        result.seconds += length * combining;
    }
    return result;
}

/// What a call takes that takes `alone` where every rank has a processor. Where ranks share processors it takes no less
/// than all that these have to do for it. And a rank has a turn of its processor at first, and another one whenever it
/// has sent and then waits for what comes back: the others on its processor have theirs between. In a chain or a tree
/// towards the root every rank runs once. Unless that is part of what was measured while all ranks sent at once.
/// Threads of a process send to others one at a time, as they call MPI.
/// Cost: the schedules of all ranks, where ranks share processors; else those of a process.
template <class Collective>
[[nodiscard, gnu::cold]] double time_in_turns(generators::any_generator<Collective> const& generator,
                                              call_parameters const& now, double alone) {
    auto const sharing = now.ranks_per_processor();
    bool const of_processes = now.lends_objects && now.nodes.divides(now.size);
    if (sharing <= 1 && !of_processes) { return alone; }
    auto const wanted = generator.blocks(now.size, now.bytes);
    auto const cut = partition::equal(now.bytes, std::max<std::size_t>(
                                                     collective::divides<Collective> ? wanted / now.size * now.size
                                                                                     : std::min(wanted, now.bytes), 1));
    auto const in_first = of_processes ? now.nodes.last(0, now.size) : 0;
    double work = 0, outside = 0, most_outside = 0;
    std::size_t turns = 0;  // of the rank that has most
    for (std::size_t rank = 0; rank != (sharing > 1 ? now.size : in_first); ++rank) {
        auto const own = selection::work_of(generator.schedule_of({rank, now.size, 0, cut}), rank, cut, now);
        work += own.seconds;
        turns = std::max(turns, own.turns);
        if (rank >= in_first) { continue; }
        outside += own.outside;
        most_outside = std::max(most_outside, own.outside);
    }
    auto const together = alone + (outside - most_outside);
    if (sharing <= 1) { return together; }
    auto const processors = static_cast<double>(now.size) / sharing;
    auto const turn = now.machine->distances.empty() ? machine_model::usual_turn : 0;
    return std::max(together, work / processors) + static_cast<double>(turns) * (sharing - 1) * turn;
}

}  // namespace tutti::selection
