// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tuple>

#include <tutti/generator/node_aware.hpp>
#include <tutti/generator/scan.hpp>

namespace tutti::explore {

/// One list for all scans.
template <scan_collective Collective>
[[nodiscard]] auto generators_of(Collective) {
    // a line for each
    // clang-format off
    return std::tuple{
        direct{},
        scan_and_broadcast<>{},
        doubling{},
        recursive_multiplying{},
        split{},
        linear{},
        two_tree{},
        hierarchical{},
        multi_lane{},
    };
    // clang-format on
}

}  // namespace tutti::explore
