// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tutti/language.hpp>
#include <tutti/text.hpp>

namespace tutti::generators {

/// Arrivals of an algorithm are the same on all ranks, one finite time for every rank, or none; otherwise throws
/// std::invalid_argument, which names `algorithm`, when schedules are generated. Wrong ones cost time and nothing else.
inline void check_arrivals(std::string_view algorithm, std::vector<double> const& arrivals, std::size_t size) {
    if (!arrivals.empty() && arrivals.size() != size) {
        throw std::invalid_argument{text::joined({"tutti: ", algorithm,
                                                  " needs one arrival time for every rank, or none, not ",
                                                  arrivals.size(), " for ", text::word(size, "rank")})};
    }
    if (!std::all_of(arrivals.begin(), arrivals.end(), language::is_finite)) {
        throw std::invalid_argument{"tutti: " + std::string{algorithm} + " needs arrival times that are finite"};
    }
}

/// Requires a positive time; throws std::invalid_argument, which names `algorithm`, otherwise.
inline void check_tau(std::string_view algorithm, double tau) {
    if (!(tau > 0 && language::is_finite(tau))) {
        throw std::invalid_argument{"tutti: " + std::string{algorithm} +
                                    " needs a positive, finite tau, the time to send and combine a block"};
    }
}

/// `ranks` in the order of arrival; those that arrive at once in the order given, and all if arrivals are not known.
[[nodiscard]] inline std::vector<std::size_t> sorted_by_arrival(std::vector<std::size_t> ranks,
                                                                std::vector<double> const& arrivals) {
    if (!arrivals.empty()) {
        std::stable_sort(ranks.begin(), ranks.end(), [&](auto a, auto b) { return arrivals[a] < arrivals[b]; });
    }
    return ranks;
}

/// The ranks in the order of arrival; of those that arrive at once the lowest first.
/// Errors: those of `check_arrivals`.
/// Cost: O(p log p).
[[nodiscard]] inline std::vector<std::size_t> arrival_order(std::string_view algorithm,
                                                            std::vector<double> const& arrivals, std::size_t size) {
    check_arrivals(algorithm, arrivals, size);
    std::vector<std::size_t> ranks(size);
    std::iota(ranks.begin(), ranks.end(), std::size_t{0});
    return sorted_by_arrival(std::move(ranks), arrivals);
}

}  // namespace tutti::generators
