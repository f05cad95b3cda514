// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <tutti/arrival/clock.hpp>
#include <tutti/arrival/pattern.hpp>
#include <tutti/communicator.hpp>
#include <tutti/communicator/call.hpp>
#include <tutti/communicator/call_stamps.hpp>
#include <tutti/communicator/control_channel.hpp>

namespace tutti {

namespace monitoring {

/// As `tutti::arrivals`, of the private communicator.
template <communicator C>
[[nodiscard]] std::vector<process_arrival_pattern> arrivals_of(C& ranks) {
    control::enter_together(ranks, control::call::named("arrivals"));
    auto& kept = ranks.store().template get<engine::call_stamps>();
    auto& clock = ranks.store().template get<common_clock>();
    auto& watch = ranks.supervisor();
    bool const is_first = !watch.has_hook(control::call_hook::stamping);
    watch.set_hook(control::call_hook::stamping, true);
    clock.measure(ranks);
    auto const begin = std::max(kept.reported(), kept.calls() - std::min<std::uint64_t>(kept.calls(), kept.most));
    auto const number = static_cast<std::size_t>(kept.calls() - begin);
    kept.mark_reported();
    if (is_first || number == 0) { return {}; }

    control_channel<C> channel{ranks};
    payload mine(number);
    for (std::size_t i = 0; i != number; ++i) { mine[i] = clock.at(kept.at(begin + i)); }
    auto const gathered = channel.gather(mine);
    auto const size = static_cast<std::size_t>(ranks.size());
    payload all(number * size);
    for (std::size_t r = 0; r != gathered.size(); ++r) {
        for (std::size_t i = 0; i != number; ++i) { all[i * size + r] = gathered[r][i]; }
    }
    channel.broadcast(all);

    std::vector<process_arrival_pattern> result(number);
    for (std::size_t i = 0; i != number; ++i) {
        auto const first = all.begin() + static_cast<std::ptrdiff_t>(i * size);
        auto const last = first + static_cast<std::ptrdiff_t>(size);
        result[i].iteration = begin + i;
        result[i].arrivals.assign(first, last);
        make_relative(result[i].arrivals);
    }
    return result;
}

}  // namespace monitoring

/// The arrival times of the ranks at the blocking calls on `world` since the previous call of this function: at most
/// the last 64, oldest first. The first call starts the record and returns nothing; before it there is no cost.
/// Requires: called by all ranks, as a collective is.
/// Result: the same on all ranks; `iteration` counts calls. Clocks of ranks may differ, and drift at a steady rate:
/// their offsets are measured each time, with an error of half a round trip, and interpolated linearly.
/// Errors: those of the communicator.
/// Cost: 20 messages of 8 bytes for each step of a binomial tree, and a gather and a broadcast of 8 bytes for each call
/// and rank. Each recorded call reads the clock once.
template <world World>
[[nodiscard]] std::vector<process_arrival_pattern> arrivals(World const& world) {
    return monitoring::arrivals_of(control::complete_communicator_of(world));
}

}  // namespace tutti

#define TUTTI_UNLESS_LINKED <tutti/execution/check_call.hpp>
#include <tutti/seam.hpp>
