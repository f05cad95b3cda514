// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <tutti/cost/call_parameters.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/generator/named.hpp>
#include <tutti/selection/candidates.hpp>

namespace tutti::selection {

/// What a candidate is expected to take.
struct predicted_cost {
    std::string algorithm{};
    std::size_t ports = 0;  ///< messages at once, where it may be several; else 0
    std::size_t blocks = 1;
    double seconds = 0;
    bool chosen = false;
};

/// The predicted costs of candidates, of which the first is chosen; the fastest first.
template <class Collective>
[[nodiscard]] std::vector<predicted_cost> expectations(dynamic_array<expected_generator<Collective>> const& all,
                                                       call_parameters const& now) {
    std::vector<predicted_cost> result;
    for (auto const& each : all) {
        result.push_back({each.generator.name(), each.generator.ports(), each.generator.blocks(now.size, now.bytes),
                          each.seconds, result.empty()});
    }
    std::stable_sort(result.begin(), result.end(),
                     [](predicted_cost const& a, predicted_cost const& b) { return a.seconds < b.seconds; });
    return result;
}

/// The predicted costs of all candidates of `automatic`.
template <class Collective>
[[nodiscard]] std::vector<predicted_cost> expectations(Collective which, call_parameters const& now, bool commutes) {
    return selection::expectations(selection::candidates_for(which, now, commutes).best_first(), now);
}

}  // namespace tutti::selection
