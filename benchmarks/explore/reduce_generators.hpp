// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tuple>

#include <tutti/generator/node_aware.hpp>
#include <tutti/generator/reduce.hpp>

#include "following.hpp"

namespace tutti::explore {

[[nodiscard]] inline auto generators_of(collective::reduce) {
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
        binary_blocks{},
        overlapped_greedy{},
        limited_transfers{},
        limited_reducers{},
        fibonacci{},
        postal_tree{},
        round_optimal{},
        arrival_ordered{},
        hierarchical{},
        multi_lane{},
    };
    // clang-format on
}

[[nodiscard]] inline auto generators_of(collective::broadcast which) {
    return following(which, generators_of(collective::reduce{}));
}

}  // namespace tutti::explore
