// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <numeric>
#include <vector>

#include <tutti/analysis/cost_model.hpp>
#include <tutti/analysis/simulate.hpp>
#include <tutti/analysis/timeline.hpp>
#include <tutti/partition.hpp>

namespace tutti::paper {

/// When each of `size` ranks arrives if one is late.
[[nodiscard]] inline std::vector<double> one_late(std::size_t size, std::size_t rank, double delay) {
    std::vector<double> result(size, 0.0);
    result[rank] = delay;
    return result;
}

/// An all-reduction in which one segment takes tau = 1 to send and combine.
template <class Generator>
[[nodiscard]] timeline all_reduced(Generator const& generator, std::vector<double> const& arrivals) {
    constexpr collective::all_reduce which{};
    auto const size = arrivals.size();
    auto const segments = blocks_for(which, generator, size, 0);
    return simulate(which, generator, size, 0, partition::equal(segments, segments), cost_model::unit(), arrivals);
}

[[nodiscard]] inline double mean_finish(timeline const& line) {
    return std::accumulate(line.finish.begin(), line.finish.end(), 0.0) / static_cast<double>(line.size());
}

}  // namespace tutti::paper
