// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace support {

/// Numbers whose sums depend on every bracket: large ones of either sign, tiny ones and denormals.
[[nodiscard]] inline std::vector<double> wild_numbers(std::size_t n) {
    double const kinds[] = {1e16, 1.0, -1e16, 1e-3, 3.0, std::numeric_limits<double>::denorm_min(), -1e300, 1e300, 0.1};
    std::vector<double> result;
    std::uint32_t state = 1;
    for (std::size_t i = 0; i != n; ++i) {
        state = state * 1664525U + 1013904223U;
        result.push_back(kinds[(state >> 16U) % 9] * (1 + static_cast<double>(state >> 20U)));
    }
    return result;
}

/// What rank `rank` contributes to sums that depend on every bracket.
[[nodiscard]] inline std::vector<double> bracket_sensitive(int rank, std::size_t n) {
    std::vector<double> all(n);
    double const kinds[] = {1e16, 1.0, -1e16, 1e-3, 3.0, -1e8, 0.1};
    for (std::size_t i = 0; i != n; ++i) {
        all[i] = kinds[(static_cast<std::size_t>(rank) * 3 + i) % 7] * (1.0 + rank);
    }
    return all;
}

[[nodiscard]] inline std::vector<std::uint64_t> bits(std::vector<double> const& all) {
    std::vector<std::uint64_t> result;
    for (auto const each : all) { result.push_back(std::bit_cast<std::uint64_t>(each)); }
    return result;
}

[[nodiscard]] inline std::uint64_t bits_of(double x) { return std::bit_cast<std::uint64_t>(x); }

}  // namespace support
