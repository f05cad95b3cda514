// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tuple>

#include <tutti/generator/node_aware.hpp>
#include <tutti/generator/reduce_scatter.hpp>

#include "following.hpp"

namespace tutti::explore {

[[nodiscard]] inline auto generators_of(collective::reduce_scatter) {
    // a line for each
    // clang-format off
    return std::tuple{
        circulant{},
        ported_circulant{},
        ordered{},
        split{},
        binary_blocks{},
        bucket{},
        pairwise{},
        short_vector{},
        mesh{},
        ordered_mesh{},
        round_optimal{},
        multi_lane{},
    };
    // clang-format on
}

[[nodiscard]] inline auto generators_of(collective::all_gather which) {
    return following(which, generators_of(collective::reduce_scatter{}));
}

}  // namespace tutti::explore
