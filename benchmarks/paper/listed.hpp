// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

#include <tutti/generator.hpp>
#include <tutti/generator/reduce/uni_greedy.hpp>

namespace tutti::paper {

/// A reduction that somebody wrote down: its operations, each rank's in the order of their starts.
struct listed {
    std::vector<uni_greedy::operation> operations;
};

/// The same on any number of ports, but at most one thing at once.
constexpr facts describe(collective::reduce, std::type_identity<listed>) {
    return {.name = "listed", .requires_commutative = true, .model = ports::unidirectional};
}

[[nodiscard]] inline auto generate(collective::reduce, listed const& all, problem const& at) {
    auto ordered = all.operations;
    std::stable_sort(ordered.begin(), ordered.end(), [](auto const& a, auto const& b) { return a.start < b.start; });
    std::vector<step> steps;
    std::vector<std::size_t> next_round(at.size, 0);
    for (auto const& each : ordered) {
        auto const round = std::max(next_round[each.sender], next_round[each.receiver]);
        next_round[each.sender] = next_round[each.receiver] = round + 1;
        if (at.rank == each.sender) {
            steps.push_back(step::send(round, each.receiver, buffer::result(), each.segment));
        } else if (at.rank == each.receiver) {
            steps.push_back(step::receive_combine(round, each.sender, buffer::result(), each.segment, side::right));
        }
    }
    auto const rounds = *std::max_element(next_round.begin(), next_round.end());
    return stored_schedule(rounds, std::move(steps));
}

}  // namespace tutti::paper
