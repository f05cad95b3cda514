// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <type_traits>

#include <tutti/generator.hpp>
#include <tutti/generator/pattern/tree/greedy.hpp>
#include <tutti/generator/pattern/tree/schedule.hpp>

namespace tutti {

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

}  // namespace tutti
