// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include <tutti/arrival/time_factor.hpp>

namespace tutti {

/// When the ranks are expected to enter the next collective. The same on all ranks, however wrong.
struct process_arrival_pattern {
    std::uint64_t iteration = 0;
    std::vector<std::int64_t> arrivals;  ///< of each rank, in ns after the earliest of them
    monitoring::time_factor slowness{};  ///< of collectives, beside the machine model
    std::size_t heard = 0;               ///< ranks that had said when they come; all others stand last

    /// The ranks, sorted by (arrival, rank).
    [[nodiscard]] std::vector<std::size_t> order() const {
        std::vector<std::size_t> ranks(arrivals.size());
        std::iota(ranks.begin(), ranks.end(), std::size_t{0});
        std::stable_sort(ranks.begin(), ranks.end(),
                         [&](std::size_t a, std::size_t b) { return arrivals[a] < arrivals[b]; });
        return ranks;
    }

    friend bool operator==(process_arrival_pattern const&, process_arrival_pattern const&) = default;
};

}  // namespace tutti
