// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <stdexcept>
#include <type_traits>

#include <tutti/cost/price.hpp>
#include <tutti/generator/named.hpp>
#include <tutti/generator/pattern/tree/greedy.hpp>
#include <tutti/generator/pattern/tree/schedule.hpp>

namespace tutti::generators {

/// The whole vector up the tree that is shortest if messages take long and cost ranks little.
///
/// From the start of a message it takes `latency` until its receiver has combined it, and a rank can take a message
/// every `gap`, in any common unit; only their ratio matters. Where a message occupies a rank for o and travels for L,
/// latency = L + 2 o and gap is o, or the g of LogP if that is more.
/// Requires latency >= gap > 0, both finite, else std::invalid_argument when schedules are generated.
/// Result: on the root x_0 ⊕ ... ⊕ x_{p-1}, any size, any root, operands in order. The root does not matter to the
/// length.
/// Cost: length(g, p), the least t with N(t) >= p, where N(t) = N(t - gap) + N(t - latency) and N = 1 before `latency`;
/// no reduction without segments is shorter. With latency = gap it is a binomial tree, with latency = 2 gap the
/// Fibonacci tree, and the longer messages take, the more ranks send to the root.
/// Cost to generate: O(p) on every rank. Source: Bar-Noy and Kipnis, Designing broadcasting algorithms in the postal
/// model; Karp, Sahay, Santos and Schauser, Optimal broadcast and summation in the LogP model.
struct postal_tree {
    double latency = 5;
    double gap = 1;
    friend bool operator==(postal_tree const&, postal_tree const&) = default;
};

constexpr facts describe(collective::reduce, std::type_identity<postal_tree>) { return {.name = "postal_tree"}; }

/// The costs of messages where a rank begins to receive one before the last one is combined. Limits are ignored.
struct postal_costs {
    using time = double;
    double latency;
    double gap;

    [[nodiscard]] constexpr time start(time time_left, time /*full*/) const { return time_left + latency; }
    [[nodiscard]] constexpr time before(time time_left, time /*start*/) const { return time_left + gap; }
};

/// The tree: who sends to whom. Its first n ranks are the tree of n ranks.
[[nodiscard]] inline timed_tree<double> tree_of(postal_tree const& costs, std::size_t size) {
    if (!(costs.gap > 0 && costs.latency >= costs.gap && std::isfinite(costs.latency))) {
        throw std::invalid_argument{
            "tutti: postal_tree needs a gap above 0 and a latency that is no less: who takes a message every gap has "
            "each one after the latency"};
    }
    return grow_tree(postal_costs{costs.latency, costs.gap}, size);
}

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
[[nodiscard, gnu::cold]] inline postal_tree postal_tree_for(pricing::message_costs const& costs, std::size_t bytes) {
    auto const volume = static_cast<double>(bytes);
    auto const latency = costs.one_way(volume);
    // only the ratio matters; in 256ths of a latency, so that rounding does not grow the tree differently
    auto const ratio = costs.gap(volume) / latency;  // none where messages cost nothing
    return {.latency = 256, .gap = ratio < 1 ? std::max(std::floor(256 * ratio), 1.0) : 256};
}

[[nodiscard, gnu::cold]] inline double time_of(collective::reduce, postal_tree const& tree,
                                               pricing::message_costs const& costs, call_parameters const& now) {
    // by the tree's whole numbers, so that what comes at the same time counts as such
    return postal_time(tree.latency, tree.gap, now.size) / tree.latency * costs.one_way(static_cast<double>(now.bytes));
}

}  // namespace tutti::generators

namespace tutti {
using generators::postal_tree;
}  // namespace tutti
