// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

#include <tutti/generator/named.hpp>
#include <tutti/generator/papers/uni_greedy.hpp>

namespace tutti::paper {

/// A reduction that somebody wrote down: its operations, each rank's in the order of their starts.
struct listed {
    std::vector<uni_greedy::transfer> operations;
};

/// The same on any number of ports, but at most one thing at once.
constexpr facts describe(collective::reduce, std::type_identity<listed>) {
    return {.name = "listed", .requires_commutative = true, .model = ports::unidirectional};
}

[[nodiscard]] inline auto generate(collective::reduce, listed const& all, problem const& at) {
    auto ordered = all.operations;
    std::stable_sort(ordered.begin(), ordered.end(), [](auto const& a, auto const& b) { return a.start < b.start; });
    generators::steps_of_transfers steps{at};
    for (auto const& each : ordered) { steps.add(each); }
    return std::move(steps).schedule();
}

}  // namespace tutti::paper
