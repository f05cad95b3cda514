// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace tutti {

/// A message of so many bytes took so long.
struct sample {
    double bytes = 0;
    double seconds = 0;
};

/// constant + bytes * per_byte.
struct affine_cost {
    double constant = 0;
    double per_byte = 0;

    [[nodiscard]] constexpr double at(double bytes) const { return constant + bytes * per_byte; }
    [[nodiscard]] constexpr bool is_possible() const { return constant >= 0 && per_byte >= 0; }

    friend bool operator==(affine_cost const&, affine_cost const&) = default;
};

namespace fitting {

/// Twice as long is as far off as half as long.
[[nodiscard]] inline double deviation(affine_cost const& cost, sample const& from) {
    return std::abs(std::log(cost.at(from.bytes) / from.seconds));
}

/// The cost through two samples from which all together deviate least: up to half of them may be anywhere.
[[nodiscard]] inline affine_cost least_deviation(std::span<sample const> samples) {
    auto const lowest = std::ranges::min_element(samples, {}, &sample::seconds);
    affine_cost best{lowest->seconds, 0};
    auto least = std::numeric_limits<double>::infinity();
    for (auto const& one : samples) {
        for (auto const& other : samples) {
            if (one.bytes >= other.bytes) { continue; }
            auto const per_byte = (other.seconds - one.seconds) / (other.bytes - one.bytes);
            affine_cost const line{one.seconds - per_byte * one.bytes, per_byte};
            if (!line.is_possible()) { continue; }
            double sum = 0;
            for (auto const& each : samples) { sum += deviation(line, each); }
            if (sum < least) {
                least = sum;
                best = line;
            }
        }
    }
    return best;
}

/// The least sum of squares of (cost - t) / t, t what was measured: short messages count as much as long ones.
[[nodiscard]] inline affine_cost least_squares(std::span<sample const> samples) {
    double weight = 0;
    double bytes = 0;
    double seconds = 0;
    for (auto const& each : samples) {
        auto const w = 1 / (each.seconds * each.seconds);
        weight += w;
        bytes += w * each.bytes;
        seconds += w * each.seconds;
    }
    double covariance = 0;
    double variance = 0;
    for (auto const& each : samples) {
        auto const w = 1 / (each.seconds * each.seconds);
        auto const off = each.bytes - bytes / weight;
        covariance += w * off * (each.seconds - seconds / weight);
        variance += w * off * off;
    }
    auto const per_byte = variance > 0 ? covariance / variance : 0;
    return {(seconds - per_byte * bytes) / weight, per_byte};
}

}  // namespace fitting

/// What messages cost of which these took so long, each more than 0 s: least squares of relative deviations, without
/// those samples that most others show to be wrong by a factor of 1.5 or more. Never negative; nothing from nothing.
[[nodiscard]] inline affine_cost fit(std::span<sample const> samples) {
    if (samples.empty()) { return {}; }
    auto const start = fitting::least_deviation(samples);
    std::vector<sample> plausible{samples.begin(), samples.end()};
    auto const far = std::log(1.5);
    std::erase_if(plausible, [&](sample const& each) { return fitting::deviation(start, each) >= far; });
    if (plausible.empty()) { return start; }
    auto const refined = fitting::least_squares(plausible);
    return refined.is_possible() ? refined : start;
}

}  // namespace tutti
