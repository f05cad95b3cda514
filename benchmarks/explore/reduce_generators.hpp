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
        two_tree{},
        uni_greedy{},
        bi_greedy{},
        butterfly{},
        overlapped_greedy{},
        limited_transfers{},
        limited_reducers{},
        fibonacci{},
        round_optimal{},
        arrival_ordered{},
    };
    // clang-format on
}

}  // namespace tutti::explore
