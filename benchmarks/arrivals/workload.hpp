// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <random>
#include <span>

#include "options.hpp"

namespace tutti::benchmark::arrivals {

/// By how many seconds each rank is late, and is believed to be.
struct lateness {
    std::vector<double> real;
    std::vector<double> believed;
};

/// One cell of the benchmark: whose delays, and how long they may be.
struct delays {
    std::string_view mode;
    double most;  ///< seconds
    std::size_t late;
    std::string_view estimates;
    std::uint64_t seed;

    /// The same on all ranks and for all algorithms; of longer delays the same random parts.
    [[nodiscard]] lateness of(std::size_t iteration, std::size_t size) const {
        std::mt19937_64 random{seed + iteration};
        lateness result{std::vector<double>(size, 0.0), {}};
        if (mode == one_late) {
            result.real[late] = most;
        } else {
            // not std::uniform_real_distribution, of which every library has its own
            for (auto& each : result.real) { each = most * static_cast<double>(random() >> 11U) * 0x1p-53; }
        }
        result.believed = result.real;
        if (estimates == estimates::wrong && size > 1) {
            auto const others = static_cast<std::ptrdiff_t>(1 + random() % (size - 1));
            std::rotate(result.believed.begin(), result.believed.begin() + others, result.believed.end());
        } else if (estimates == estimates::false_alarm) {
            result.real.assign(size, 0.0);
        }
        return result;
    }
};

/// No all_reduce has a smaller mean of the times that ranks spend in it: each receives the vector after the last has
/// arrived, and the vector is received 2(p-1) times in all. `transfer` is the time for that of one vector. Requires
/// that nothing is received before its receiver has arrived: where short messages are stored it may be a bit less.
[[nodiscard]] inline double lower_bound(std::vector<double> const& arrivals, double transfer) {
    auto const size = static_cast<double>(arrivals.size());
    if (arrivals.size() < 2) { return 0; }
    auto const last = *std::max_element(arrivals.begin(), arrivals.end());
    auto const mean = std::accumulate(arrivals.begin(), arrivals.end(), 0.0) / size;
    return std::max(last + transfer - mean, 2 * (size - 1) / size * transfer);
}

/// Data of one call: whole numbers, so small that every order of adding them gives the same sum.
struct operands {
    std::uint64_t call;
    std::size_t size;

    [[nodiscard]] float of_element(std::size_t i) const { return static_cast<float>((i + call) * 2654435761U % 1021); }

    void give(std::size_t rank, std::span<float> vector) const {
        for (std::size_t i = 0; i != vector.size(); ++i) { vector[i] = static_cast<float>(rank) + of_element(i); }
    }

    /// Whether `vector` is the sum over all ranks.
    [[nodiscard]] bool are_added_in(std::span<float const> vector) const {
        auto const ranks = static_cast<float>(size), sum = ranks * (ranks - 1) / 2;
        for (std::size_t i = 0; i != vector.size(); ++i) {
            if (vector[i] != sum + ranks * of_element(i)) { return false; }
        }
        return true;
    }
};

}  // namespace tutti::benchmark::arrivals
