// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <array>
#include <charconv>
#include <cmath>
#include <string>

namespace tutti::analysis::draw {

/// The shortest text that reads back as `value`; integers without a point.
[[nodiscard]] inline std::string number(double value) {
    std::array<char, 32> text{};
    bool const whole = std::abs(value) < 1e15 && value == std::floor(value);
    auto const end = whole ? std::to_chars(text.data(), text.data() + text.size(), static_cast<long long>(value)).ptr
                           : std::to_chars(text.data(), text.data() + text.size(), value).ptr;
    return {text.data(), end};
}

/// `value` rounded to a hundredth: enough for a place on paper.
[[nodiscard]] inline std::string rounded(double value) {
    return number(std::round(value * 100) / 100);
}

}  // namespace tutti::analysis::draw
