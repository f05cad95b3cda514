// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <map>

#include <tutti/generator/binomial.hpp>
#include <tutti/generator/butterfly.hpp>
#include <tutti/generator/linear.hpp>
#include <tutti/generator/postal_tree.hpp>
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

/// The tree that suits messages of so many bytes.
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

/// The longest halves are exchanged between neighbours, and go back between them. Pairs that fold send all once more.
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

/// A rank's messages, if long, go at once and share its link, so that the longest, of half of what it has, is the last
/// one, and only then goes on.
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

}  // namespace tutti
