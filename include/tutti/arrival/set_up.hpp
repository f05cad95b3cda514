// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>

#include <tutti/arrival/by_helper.hpp>
#include <tutti/arrival/clock.hpp>
#include <tutti/arrival/cost_feedback.hpp>
#include <tutti/arrival/exchange.hpp>
#include <tutti/arrival/network.hpp>
#include <tutti/arrival/options.hpp>
#include <tutti/arrival/piggyback.hpp>
#include <tutti/communicator.hpp>

namespace tutti::monitoring {

/// What a monitor starts with.
struct arrangement {
    std::unique_ptr<exchange> chosen;
    std::string why;
    int rank = 0;
    int size = 1;
};

/// Why this rank cannot have a helper; empty if it can.
template <communicator C>
[[nodiscard]] std::string why_no_helper(C& ranks, bool wanted) {
    if (!wanted) { return "no helper thread is wanted"; }
    if (ranks.size() == 1) { return "there is one rank only"; }
    if constexpr (duplicates_itself<C>) {
        if (!ranks.allows_threads()) {
            return "the communicator does not let two threads call at the same time (MPI does if it is initialised "
                   "with MPI_THREAD_MULTIPLE)";
        }
        auto const size = static_cast<std::size_t>(ranks.size());
        auto const longest = sizeof(payload::value_type) * leader_protocol<C>::longest_message(size);
        return longest <= ranks.message_limit() ? "" : "a message cannot be as long as a decision";
    } else {
        return "the communicator has no duplicate for another thread";
    }
}

/// The ranks agree on how they exchange estimates, and on the costs: those of rank 0 if it has any, else measured ones.
template <communicator C>
[[nodiscard]] arrangement set_up(C& ranks, arrival_options const& wanted) {
    // what is received ahead stays posted, so the way of messages must not change later
    if constexpr (may_share_memory<C>) { ranks.share_memory(ranks.shares_memory()); }
    auto why_not = why_no_helper(ranks, wanted.helper_thread);
    control_channel channel{ranks};
    auto const given = wanted.costs.value_or(link_costs{});
    payload agreed{why_not.empty(), wanted.costs.has_value(), given.latency, given.gap, given.per_kib};
    for (auto const& each : channel.gather(agreed)) { agreed[0] = std::min(agreed[0], each[0]); }
    channel.broadcast(agreed);
    auto const costs = agreed[1] != 0 ? cost_feedback{{agreed[2], agreed[3], agreed[4]}, true}
                                      : cost_feedback{network{ranks}.measure(), false};

    arrangement result{.chosen = nullptr, .why = "", .rank = ranks.rank(), .size = ranks.size()};
    if constexpr (duplicates_itself<C>) {
        if (agreed[0] != 0) {
            result.chosen = std::make_unique<by_helper<C>>(ranks, costs);
            result.why = "helper_thread: while the program computes, a thread of each rank tells rank 0, which decides "
                         "for all, since the communicator lets two threads call at the same time";
            return result;
        }
    }
    if (why_not.empty()) { why_not = "other ranks do without a helper thread"; }
    result.chosen = std::make_unique<piggyback<C>>(ranks, costs);
    result.why = "piggyback: each rank tells all others when the program calls the monitor, since " + why_not;
    return result;
}

}  // namespace tutti::monitoring
