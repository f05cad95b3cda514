// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <map>

#include <tutti/combinator/reverse.hpp>
#include <tutti/generator/alternating_tree.hpp>
#include <tutti/generator/binomial.hpp>
#include <tutti/generator/butterfly.hpp>
#include <tutti/generator/linear.hpp>
#include <tutti/generator/pipeline.hpp>
#include <tutti/generator/postal_tree.hpp>
#include <tutti/generator/round_optimal.hpp>
#include <tutti/generator/two_tree.hpp>
#include <tutti/problem.hpp>
#include <tutti/selection/call_parameters.hpp>
#include <tutti/selection/message_costs.hpp>

namespace tutti {

/// The least time in which a message gets from one rank to all `size`, if it takes `latency` and a rank sends one every
/// `gap`. Ranks that are ready at the same time count together. Cost: O((latency / gap) log² p).
[[nodiscard, gnu::cold]] inline double postal_time(double latency, double gap, std::size_t size) {
    std::map<double, double> sends{{0, 1}};  // when ranks are free to send, and how many
    double ranks = 1, last = 0;
    while (ranks < static_cast<double>(size)) {
        auto const [time, senders] = *sends.begin();
        sends.erase(sends.begin());
        sends[time + gap] += senders;
        sends[time + latency] += senders;
        ranks += senders;
        last = time + latency;
    }
    return last;
}

/// The postal tree for messages of `bytes` bytes.
[[nodiscard, gnu::cold]] inline postal_tree postal_tree_for(message_costs const& costs, std::size_t bytes) {
    auto const length = static_cast<double>(bytes);
    auto const latency = costs.one_way(length);
    // only the ratio matters; in 256ths of a latency, so that rounding does not grow the tree differently
    auto const ratio = costs.gap(length) / latency;  // none where messages cost nothing
    return {.latency = 256, .gap = ratio < 1 ? std::max(std::floor(256 * ratio), 1.0) : 256};
}

[[nodiscard, gnu::cold]] inline double time_of(collective::reduce, postal_tree const& tree, message_costs const& costs,
                                               call_parameters const& now) {
    // by the tree's whole numbers, so that what comes at the same time counts as such
    return postal_time(tree.latency, tree.gap, now.size) / tree.latency *
           costs.one_way(static_cast<double>(now.bytes));
}

[[nodiscard, gnu::cold]] inline double time_of(collective::reduce, binomial const&, message_costs const& costs,
                                               call_parameters const& now) {
    return log2_of(now.size) * costs.one_way(static_cast<double>(now.bytes), now.mean_contention());
}

/// The longest halves are exchanged, and returned, between neighbours. Pairs that fold send the whole vector once more.
[[nodiscard, gnu::cold]] inline double time_of(collective::reduce, butterfly const&, message_costs const& costs,
                                               call_parameters const& now) {
    auto const groups = std::bit_floor(now.size);
    auto bytes = static_cast<double>(now.bytes);
    double result = groups == now.size ? 0 : costs.one_way(bytes, now.contention_at(1));
    for (std::size_t distance = 1; distance < groups; distance *= 2) {
        auto const factors = now.contention_of_changing_partners(distance * now.size / groups);
        bytes /= 2;
        result += costs.exchange(bytes, factors) + costs.without_combines().one_way(bytes, factors);
    }
    return result;
}

/// Long messages of a rank are sent at once and share its link, so that the longest, half of what the rank has, arrives
/// last, and only then its receiver sends.
[[nodiscard, gnu::cold]] inline double time_of(collective::scatter, binomial const&, message_costs const& costs,
                                               call_parameters const& now) {
    auto const levels = log2_of(now.size);
    auto const ranks = static_cast<double>(now.size);
    auto const shares = 2 - 2 / std::exp2(levels) - levels / ranks;
    return levels * costs.latency() + costs.length(static_cast<double>(now.bytes) * shares);
}
[[nodiscard, gnu::cold]] inline double time_of(collective::scatter, linear const&, message_costs const& costs,
                                               call_parameters const& now) {
    auto const part = static_cast<double>(now.bytes) / static_cast<double>(now.size);
    return costs.one_way(part) + static_cast<double>(now.size - 2) * costs.gap(part);
}

/// Parameters of a pipeline's cost, apart from the number of its segments.
struct pipeline_cost {
    double hops;                 ///< messages that the first segment takes to its end
    double combines = 1;         ///< of the first segment at each hop, before it is sent on
    double messages = 1;         ///< that a rank receives on average for each further segment, and sends
    double kept = 0;             ///< of these, the ones that it does not combine
    double combines_at_once = 1;   ///< `busy` of message_costs::stage
    double contention_factor = 1;  ///< by which transfers on shared links are longer
    bool overtake = false;       ///< messages overtake one another: seldom one arrives while another is combined
};

/// Time of algorithms that send segments one after another: the hops of the first one, and a stage for each other one.
///
/// In seconds, where messages in flight together share latencies but not links. How long messages from several ranks to
/// one wait for each other, `fitted_contention` says.
/// In a network few messages of a pipeline share a link, but processors may be shared; in shared memory all ranks share
/// processors and memory.
[[nodiscard, gnu::cold]] inline double time_of_segments(std::size_t segments, pipeline_cost const& cost,
                                                        message_costs const& costs, call_parameters const& now) {
    auto const count = static_cast<double>(std::max<std::size_t>(segments, 1));
    auto const segment = static_cast<double>(now.bytes) / count;
    auto factors = now.mean_contention();
    if (!now.on_one_node()) { factors.latency = factors.per_byte = 1; }
    auto shared = factors;
    shared.per_byte *= cost.contention_factor;
    auto const transfer_only = costs.without_combines();
    auto next = costs.stage(segment, cost.combines_at_once, shared);
    auto kept = transfer_only.stage(segment, cost.combines_at_once, shared);
    if (now.size == 2) {  // one sends and the other one receives
        next = costs.gap(segment, factors);
        kept = transfer_only.gap(segment, factors);
    } else if (cost.overtake) {
        next = transfer_only.stage(segment, cost.combines_at_once, shared) +
               cost.combines_at_once * costs.combine(segment);
    }
    auto const hop = costs.one_way(segment, factors) + (cost.combines - 1) * costs.combine(segment);
    return cost.hops * hop +
           (count - 1) * ((cost.messages - cost.kept) * next + cost.kept * kept);
}

[[nodiscard, gnu::cold]] inline double time_of(collective::reduce, pipeline const& generator,
                                               message_costs const& costs, call_parameters const& now) {
    return time_of_segments(generator.segments, {.hops = static_cast<double>(now.size - 1)}, costs, now);
}

/// Successive segments come from different ranks; but they are short, and a rank need not wait for one to get the next.
[[nodiscard, gnu::cold]] inline double segment_contention(call_parameters const& now) {
    return std::sqrt(now.change_of_distance());
}

/// A segment arrives from both children, while those of the other tree wait.
[[nodiscard, gnu::cold]] inline double time_of(collective::reduce, two_tree const& generator,
                                               message_costs const& costs, call_parameters const& now) {
    return time_of_segments(generator.segments,
                            {.hops = 1.25 * log2_of(now.size) + 0.5,
                             .combines = 2.5,
                             .combines_at_once = now.fitted.two_trees,
                             .contention_factor = segment_contention(now)},
                            costs, now);
}

/// One more hop to the root, which does not combine.
[[nodiscard, gnu::cold]] inline double time_of(collective::reduce, alternating_tree const& generator,
                                               message_costs const& costs, call_parameters const& now) {
    auto const levels = log2_of(now.size);
    return time_of_segments(generator.segments,
                            {.hops = levels + 1,
                             .combines = levels / (levels + 1),
                             .combines_at_once = now.fitted.alternating_trees,
                             .contention_factor = segment_contention(now)},
                            costs, now);
}
[[nodiscard, gnu::cold]] inline double time_of(collective::all_reduce, alternating_tree const& generator,
                                               message_costs const& costs, call_parameters const& now) {
    return time_of_segments(generator.segments,
                            {.hops = 2 * log2_of(now.size),
                             .combines = 0.5,
                             .messages = 2,
                             .kept = 1,
                             .combines_at_once = now.fitted.alternating_trees_both_ways,
                             .contention_factor = segment_contention(now)},
                            costs, now);
}

[[nodiscard, gnu::cold]] inline double time_of(collective::reduce, round_optimal const& generator,
                                               message_costs const& costs, call_parameters const& now) {
    pipeline_cost cost{.hops = log2_of(now.size) + 0.5,
                       .combines_at_once = now.fitted.circulants,
                       .contention_factor = now.mean_contention().per_byte};
    auto const segment = now.bytes / std::max<std::size_t>(generator.segments, 1);
    cost.overtake = !now.on_one_node() && segment > now.bytes_per_latency();
    cost.contention_factor *= std::max(cost.overtake ? now.fitted.several_ports : 1, segment_contention(now));
    return time_of_segments(generator.segments, cost, costs, now);
}
[[nodiscard, gnu::cold]] inline double time_of(collective::broadcast, round_optimal const& generator,
                                               message_costs const& costs, call_parameters const& now) {
    return time_of(collective::reduce{}, generator, costs, now);
}

}  // namespace tutti
