// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include <tutti/problem.hpp>

#include "algorithm.hpp"

namespace tutti::explore {

/// Compiled apart for each collective, since they take long: CMakeLists.txt lists them.
template <class Collective>
[[nodiscard]] family family_of();
[[nodiscard]] std::vector<std::unique_ptr<algorithm>> all_reduce_algorithms_through_root();

/// A collective from which others follow stands before them.
[[nodiscard]] inline std::vector<family> all_families() {
    std::vector<family> result;
    auto const add = [&](auto... each) { (result.push_back(family_of<decltype(each)>()), ...); };
    add(collective::reduce{}, collective::broadcast{}, collective::inclusive_scan{}, collective::exclusive_scan{},
        collective::scan_reduce{}, collective::reduce_scatter{}, collective::all_gather{}, collective::scatter{},
        collective::gather{}, collective::all_reduce{});
    for (auto& each : all_reduce_algorithms_through_root()) {
        result.back().algorithms.push_back(std::move(each));
    }
    return result;
}

}  // namespace tutti::explore
