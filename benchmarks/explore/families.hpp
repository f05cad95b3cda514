// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <string>
#include <vector>

#include "algorithm.hpp"

namespace tutti::explore {

/// One of each collective, in a file of its own.
[[nodiscard]] family reduce_family();
[[nodiscard]] family all_reduce_family();
[[nodiscard]] family broadcast_family();

[[nodiscard]] inline std::vector<family> all_families() {
    std::vector<family> result;
    result.push_back(reduce_family());
    result.push_back(all_reduce_family());
    result.push_back(broadcast_family());
    return result;
}

}  // namespace tutti::explore
