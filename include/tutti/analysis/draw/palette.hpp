// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace tutti::draw {

/// The colours of one block: `full` under white text, `light` under `dark` text.
struct ink {
    std::string_view full;
    std::string_view light;
    std::string_view dark;
};

/// Colours that differ in lightness too, so that neighbouring blocks can be told apart in grey.
inline constexpr std::array<ink, 10> palette{{
    {"#2f6db3", "#d3e3f4", "#1d4675"},   // blue
    {"#d9722b", "#fbe2cf", "#8a4416"},   // orange
    {"#7458b0", "#e2daf2", "#463470"},   // violet
    {"#2e8b57", "#d2ecdd", "#1b5635"},   // green
    {"#b8375a", "#f6d5de", "#74203a"},   // crimson
    {"#1f8f9a", "#cfecef", "#125a61"},   // teal
    {"#8a6b2d", "#eee3c9", "#574219"},   // ochre
    {"#7d9a1e", "#e8f0c8", "#4d6010"},   // olive
    {"#5f6b7a", "#dfe3e8", "#38414c"},   // slate
    {"#c2529f", "#f6dbec", "#7c3064"},   // pink
}};

[[nodiscard]] constexpr ink const& colour_of(std::size_t block) { return palette[block % palette.size()]; }

}  // namespace tutti::draw
