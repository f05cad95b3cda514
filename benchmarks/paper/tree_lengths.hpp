// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include <tutti/generator/pattern/tree/greedy.hpp>

namespace tutti::paper {

/// When machine 0 has everything, if machine i > 0 sends to receiver[i] < i, a machine receives first what is ready
/// first, takes part in one transfer at a time and combines meanwhile.
///
/// A machine whose k children are ready at t_1 <= ... <= t_k is ready at max_j (t_j + d + (k-j) max(d,c) + c), for
/// transfers of d and combinations of c. It needs room for one message that is not combined yet.
/// Cost: O(n log n). Source: [canon12], proposition 3.
[[nodiscard]] inline std::size_t makespan_of(std::span<std::size_t const> receiver,
                                             generators::overlapped_costs costs) {
    std::vector<std::vector<std::size_t>> ready(receiver.size());  // per machine: when its children are
    std::size_t combined = 0;
    for (auto machine = receiver.size(); machine-- > 0;) {
        auto& children = ready[machine];
        std::sort(children.begin(), children.end());
        std::size_t received = 0;
        combined = 0;
        for (auto const child : children) {
            received = std::max(received, child) + costs.transfer;
            combined = std::max(combined, received) + costs.combine;
        }
        if (machine != 0) { ready[receiver[machine]].push_back(combined); }
    }
    return combined;
}

/// The lengths of the first parts of a greedy tree at any costs: entry i is for machines 0 .. i.
///
/// A machine receives the child first that was added last. Children that were added earlier have larger subtrees, so
/// no other order is shorter. A limit of transfers is not kept.
/// Cost: O(size) for all together.
[[nodiscard]] inline std::vector<std::size_t> lengths(generators::greedy_tree const& tree,
                                                      generators::overlapped_costs costs) {
    auto const apart = std::max(costs.transfer, costs.combine);
    std::vector<std::size_t> of_next_child(tree.size(), costs.transfer + costs.combine);
    std::vector<std::size_t> result(tree.size(), 0);
    for (std::size_t machine = 1; machine < tree.size(); ++machine) {
        auto& of_this = of_next_child[tree.receiver[machine]];
        of_next_child[machine] += of_this;
        result[machine] = std::max(result[machine - 1], of_this);
        of_this += apart;
    }
    return result;
}

}  // namespace tutti::paper
