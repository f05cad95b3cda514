// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <tutti/arrival/pattern.hpp>
#include <tutti/generator/skips.hpp>

namespace tutti::forecast {

/// When each rank ends a circulant reduce-scatter and its reversal, if rank r arrives at arrivals[r].
/// Cost: O(p log p).
[[nodiscard]] inline std::vector<std::int64_t> end_of_circulant(std::vector<std::int64_t> const& arrivals,
                                                                link_costs const& costs, std::size_t bytes) {
    auto const size = arrivals.size();
    halving_skips const skips{size};
    auto now = arrivals;
    auto const round = [&](std::size_t distance, std::size_t parts) {
        auto const transfer = costs.transfer(bytes * parts / size);
        auto const before = now;
        for (std::size_t rank = 0; rank < size; ++rank) {
            auto const above = (rank + distance) % size;
            auto const below = (rank + size - distance) % size;
            now[rank] = std::max({before[rank], before[above], before[below]}) + transfer;
        }
    };
    for (auto k = skips.count(); k-- > 0;) { round(skips[k], skips[k + 1] - skips[k]); }
    for (std::size_t k = 0; k < skips.count(); ++k) { round(skips[k], skips[k + 1] - skips[k]); }
    return now;
}

}  // namespace tutti::forecast
