// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "measure.hpp"

namespace tutti::generation {

/// The power of x by which y grows over the last two decades of x: the slope of the line through the points on
/// logarithmic axes. Values below `least` count as `least`: a constant part shows no growth.
[[nodiscard]] inline double growth(std::vector<point> const& points, std::size_t point::*x, double point::*y,
                                   double least) {
    if (points.size() < 2) { return 0; }
    auto const from = static_cast<double>(points.back().*x) / 101;
    double count = 0, sum_x = 0, sum_y = 0, sum_xx = 0, sum_xy = 0;
    for (auto const& each : points) {
        auto const at = static_cast<double>(each.*x);
        if (at < from) { continue; }
        auto const log_x = std::log(at);
        auto const log_y = std::log(std::max(each.*y, least));
        count += 1;
        sum_x += log_x;
        sum_y += log_y;
        sum_xx += log_x * log_x;
        sum_xy += log_x * log_y;
    }
    auto const spread = count * sum_xx - sum_x * sum_x;
    return spread > 0 ? (count * sum_xy - sum_x * sum_y) / spread : 0;
}

/// How time and memory of a series grow, and how they may.
struct verdict {
    double time;
    double memory;
    double allowed;  ///< as promised, or as the steps that the rank takes
    bool kept;
};

/// Logarithms and caches that become too small make up for `slack`.
[[nodiscard]] inline verdict judge(std::vector<point> const& points, std::size_t point::*against, double promised) {
    constexpr double slack = 0.4;
    auto const allowed = std::max(promised, growth(points, against, &point::work, 1));
    verdict result{growth(points, against, &point::seconds, 1e-7), growth(points, against, &point::peak_bytes, 256),
                   allowed, true};
    result.kept = std::max(result.time, result.memory) <= result.allowed + slack;
    return result;
}

}  // namespace tutti::generation
