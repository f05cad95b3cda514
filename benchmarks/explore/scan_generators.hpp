// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <concepts>
#include <tuple>

#include <tutti/generator/node_aware.hpp>
#include <tutti/generator/scan.hpp>

namespace tutti::explore {

/// One list for all scans.
template <scan_collective Collective>
[[nodiscard]] auto generators_of(Collective) {
    // a line for each
    // clang-format off
    auto const of_all = std::tuple{
        direct{},
        transposed_scan{},
        doubling{},
        recursive_multiplying{},
        split{},
        linear{},
        two_tree{},
        hierarchical{},
        multi_lane{},
    };
    // clang-format on
    if constexpr (std::same_as<Collective, collective::scan_reduce>) {
        return std::tuple_cat(of_all, std::tuple{scan_and_broadcast<>{}});
    } else {
        return of_all;
    }
}

}  // namespace tutti::explore
