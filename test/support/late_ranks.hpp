// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <random>
#include <vector>

#include <tutti/analysis/cost_model.hpp>
#include <tutti/analysis/simulate.hpp>
#include <tutti/partition.hpp>

/// All-reductions by ranks that do not arrive at once, where a segment takes 1 to send and combine.
namespace late_ranks {

using times = std::vector<double>;

[[nodiscard]] inline times one_late(std::size_t size, std::size_t rank, double by) {
    times result(size, 0.0);
    result[rank] = by;
    return result;
}

/// Few or many ranks late, by little or much; whole numbers, so that sums of times are exact.
[[nodiscard]] inline times random_arrivals(std::size_t size, std::mt19937& random) {
    auto const spread = 1 + random() % 40;
    auto const punctual = random() % 4;
    times result(size, 0.0);
    for (auto& each : result) {
        if (random() % 4 >= punctual) { each = static_cast<double>(random() % spread); }
    }
    return result;
}

/// When each rank ends; a block of the cut for each segment.
template <class Generator>
[[nodiscard]] times finish(Generator const& generator, times const& arrivals) {
    tutti::collective::all_reduce const which;
    auto const size = arrivals.size();
    auto const blocks = blocks_for(which, generator, size, 0);
    return tutti::simulate(which, generator, size, 0, tutti::partition::equal(blocks, blocks),
                           tutti::cost_model::unit(), arrivals)
        .finish;
}

[[nodiscard]] inline double sum(times const& all) { return std::accumulate(all.begin(), all.end(), 0.0); }

[[nodiscard]] inline double latest(times const& all) { return *std::max_element(all.begin(), all.end()); }

}  // namespace late_ranks
