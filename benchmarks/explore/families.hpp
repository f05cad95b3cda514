// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <memory>
#include <vector>

#include "algorithm.hpp"

namespace tutti::explore {

/// One of each collective, in a file of its own.
[[nodiscard]] family reduce_family();
[[nodiscard]] family broadcast_family();
[[nodiscard]] family inclusive_scan_family();
[[nodiscard]] family exclusive_scan_family();
[[nodiscard]] family scan_reduce_family();
[[nodiscard]] family reduce_scatter_family();
[[nodiscard]] family all_gather_family();
[[nodiscard]] family scatter_family();
[[nodiscard]] family gather_family();
[[nodiscard]] family all_reduce_family();

/// Compiled apart, since they take long.
[[nodiscard]] std::vector<std::unique_ptr<algorithm>> all_reduce_algorithms_through_root();

/// A collective from which others follow stands before them.
[[nodiscard]] inline std::vector<family> all_families() {
    std::vector<family> result;
    result.push_back(reduce_family());
    result.push_back(broadcast_family());
    result.push_back(inclusive_scan_family());
    result.push_back(exclusive_scan_family());
    result.push_back(scan_reduce_family());
    result.push_back(reduce_scatter_family());
    result.push_back(all_gather_family());
    result.push_back(scatter_family());
    result.push_back(gather_family());
    result.push_back(all_reduce_family());
    return result;
}

}  // namespace tutti::explore
