// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <vector>

#include <support/division.hpp>

namespace support {

/// What rank `rank` contributes: (rank + 1) (i + 1) at i.
[[nodiscard]] inline std::vector<int> operands(int rank, std::size_t count) {
    std::vector<int> result(count);
    for (std::size_t i = 0; i != count; ++i) { result[i] = (rank + 1) * (static_cast<int>(i % 1000) + 1); }
    return result;
}

/// The sum of all ranks' operands.
[[nodiscard]] inline std::vector<int> sums(int size, std::size_t count) {
    auto result = operands(0, count);
    for (auto& each : result) { each *= size * (size + 1) / 2; }
    return result;
}

/// The sum of the operands of the ranks before this one: 0 for the first.
[[nodiscard]] inline std::vector<int> sums_before(int rank, std::size_t count) {
    return rank == 0 ? std::vector<int>(count) : sums(rank, count);
}

/// A whole vector with only the part of `rank` in it.
[[nodiscard]] inline std::vector<int> with_part_of(int rank, division const& counts) {
    return concatenated(counts, [&](int r, std::size_t n) { return r == rank ? operands(r, n) : std::vector(n, -1); });
}

}  // namespace support
