// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <tutti/generator.hpp>
#include <tutti/selection/candidates.hpp>
#include <tutti/selection/call_parameters.hpp>

namespace tutti {

/// What a candidate of `automatic` is expected to take.
struct predicted_cost {
    std::string algorithm{};
    std::size_t ports = 0;  ///< messages at once, where it may be several; else 0
    std::size_t blocks = 1;
    double seconds = 0;
    bool chosen = false;
};

/// Of all candidates, the fastest first.
template <class Collective>
[[nodiscard]] std::vector<predicted_cost> expectations(Collective which, call_parameters const& now, bool commutes) {
    auto const all = selection::ranked(which, now, commutes);
    auto const& best = all.best();
    std::vector<predicted_cost> result;
    for (auto const& each : all.candidates()) {
        result.push_back({each.generator.name(), each.generator.ports(), each.generator.blocks(now.size, now.bytes),
                          each.seconds, &each == &best});
    }
    std::stable_sort(result.begin(), result.end(),
                     [](predicted_cost const& a, predicted_cost const& b) { return a.seconds < b.seconds; });
    return result;
}

}  // namespace tutti
