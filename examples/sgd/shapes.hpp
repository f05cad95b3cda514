// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>

namespace sgd {

inline constexpr std::size_t side = 12;
inline constexpr std::size_t pixels = side * side;

enum kind : std::size_t { disc, frame, cross, diamond, triangle, kinds };

/// A small noisy image, and what it shows.
struct image {
    std::array<float, pixels> pixel;
    kind shown;
};

/// Whether a shape of radius r covers a place x to the right of its centre and y below it.
[[nodiscard]] inline bool covers(kind shape, float r, float x, float y) {
    auto const wide = std::abs(x);
    auto const high = std::abs(y);
    auto const longer = std::max(wide, high);
    switch (shape) {
    case disc: return x * x + y * y <= r * r;
    case frame: return longer <= r && longer > r - 1;
    case cross: return longer <= r && std::min(wide, high) < 0.8f;
    case diamond: return wide + high <= r && wide + high > r - 1.5f;
    default: return high <= r && 2 * wide <= y + r;
    }
}

/// Image number n: always the same one, so that no rank needs files, and every rank draws its own images only.
[[nodiscard]] inline image draw(std::uint32_t n) {
    std::mt19937 random{n};  // what it yields is the same everywhere, which is not true of std's distributions
    auto const between = [&](float from, float to) {
        return from + (to - from) * static_cast<float>(random() >> 8) / 0x1p24f;
    };
    image result{{}, static_cast<kind>(n % kinds)};
    auto const r = between(2.5f, 4.5f);
    auto const middle_x = between(4.5f, 6.5f);
    auto const middle_y = between(4.5f, 6.5f);
    for (std::size_t i = 0; i < pixels; ++i) {
        auto const x = static_cast<float>(i % side) - middle_x;
        auto const y = static_cast<float>(i / side) - middle_y;
        result.pixel[i] = between(-0.6f, 0.6f) + (covers(result.shown, r, x, y) ? 1.0f : 0.0f);
    }
    return result;
}

}  // namespace sgd
