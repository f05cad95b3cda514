// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <vector>

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

}  // namespace support
