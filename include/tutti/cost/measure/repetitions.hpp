// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <tutti/communicator.hpp>

namespace tutti::pricing::measuring {

/// The middle one; of an even number the higher of two.
[[nodiscard]] inline double median(std::vector<double> values) {
    auto const middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

template <communicator C>
[[nodiscard]] double seconds_since(std::int64_t begun) {
    return static_cast<double>(C::now() - begun) * 1e-9;
}

/// How often something is timed: often if it is short, and once where times are exact.
class repetitions {
public:
    explicit repetitions(bool exact) : exact_{exact} {}

    [[nodiscard]] std::size_t at_first() const { return exact_ ? 1 : fewest; }

    /// How often again, after it took this many seconds at first, all together.
    [[nodiscard]] std::size_t more(double seconds) const {
        if (exact_) { return 0; }
        auto const once = std::max(seconds, 1e-9) / double{fewest};
        return static_cast<std::size_t>(std::clamp(std::floor(budget / once), 0.0, most));
    }

private:
    static constexpr int fewest = 5;
    static constexpr double most = 100;
    static constexpr double budget = 8e-3;

    bool exact_;
};

}  // namespace tutti::pricing::measuring
