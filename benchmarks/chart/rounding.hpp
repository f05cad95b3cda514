// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include <tutti/analysis/draw/number.hpp>

namespace tutti::charts {

[[nodiscard]] inline double fixed_value(double value, int digits) {
    auto const scale = std::pow(10.0, digits);
    return std::round(value * scale) / scale;
}

[[nodiscard]] inline std::string fixed(double value, int digits) { return draw::number(fixed_value(value, digits)); }

/// With all digits before the point and so many behind it that there are `digits` in all.
[[nodiscard]] inline std::string significant(double value, int digits) {
    if (value == 0) { return "0"; }
    return fixed(value, std::max(0, digits - 1 - static_cast<int>(std::floor(std::log10(std::abs(value))))));
}

}  // namespace tutti::charts
