// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tuple>

#include <tutti/generator/all_reduce.hpp>
#include <tutti/generator/scan.hpp>

#include "following.hpp"
#include "reduce_generators.hpp"
#include "reduce_scatter_generators.hpp"

namespace tutti::explore {

/// What a reduce_scatter means for all_reduce; nothing if it goes by the name of a reduction.
template <class Generator>
[[nodiscard]] auto all_reduce_in_parts(Generator const& of) {
    if constexpr (generator_for<Generator, collective::reduce>) {
        return std::tuple{};
    } else {
        return std::tuple{algorithm_for(collective::all_reduce{}, of)};
    }
}

/// A reduce_scatter then an all_gather, and those that follow neither from this nor from reductions.
[[nodiscard]] inline auto all_reduces_in_parts() {
    // a line for each
    // clang-format off
    auto const own = std::tuple{
        recursive_doubling{},
        recursive_multiplying{},
        unfolded_doubling{},
        direct_exchange{},
        doubling{},
        ring{},
        sorted_linear_tree{},
        pre_reduced_ring{},
        front_loaded_ring{},
        late_rank{},
    };
    // clang-format on
    auto const in_parts = [](auto const&... each) { return std::tuple_cat(all_reduce_in_parts(each)...); };
    return std::tuple_cat(own, std::apply(in_parts, generators_of(collective::reduce_scatter{})));
}

/// A reduce then a broadcast.
[[nodiscard]] inline auto all_reduces_through_root() {
    return following(collective::all_reduce{}, generators_of(collective::reduce{}));
}

}  // namespace tutti::explore
