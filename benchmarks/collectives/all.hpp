// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include <tutti/problem.hpp>

namespace tutti::benchmark {

/// All that can be measured, in the order in which results are shown.
using collectives = std::tuple<collective::reduce, collective::all_reduce, collective::inclusive_scan,
                               collective::exclusive_scan, collective::scan_reduce, collective::reduce_scatter,
                               collective::broadcast, collective::all_gather, collective::gather, collective::scatter>;

[[nodiscard]] inline std::vector<std::string> names_of_collectives() {
    return std::apply([](auto... each) { return std::vector<std::string>{std::string{each.name}...}; }, collectives{});
}

}  // namespace tutti::benchmark
