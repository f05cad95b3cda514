// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tuple>

#include <tutti/generator/all_reduce.hpp>

namespace tutti::explore {

/// Every generator of all_reduce that is not made of a reduce generator.
[[nodiscard]] inline auto all_reduce_generators() {
    // a line for each
    // clang-format off
    return std::tuple{
        recursive_doubling{},
        ring{},
    };
    // clang-format on
}

}  // namespace tutti::explore
