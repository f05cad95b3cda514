// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tuple>

#include <tutti/generator/reduce.hpp>

namespace tutti::explore {

/// Every reduce generator. Broadcasts and all_reduces follow from them.
[[nodiscard]] inline auto reduce_generators() {
    // a line for each
    // clang-format off
    return std::tuple{
        linear{},
        binomial{},
        pipeline{},
        binary_tree{},
        uni_greedy{},
    };
    // clang-format on
}

}  // namespace tutti::explore
