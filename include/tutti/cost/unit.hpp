// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace tutti::model_file {

/// What a number in a file counts.
enum class dimension { time, time_per_byte, transfers, bytes };

/// A unit is ten to the power `exponent` of what programs count in: seconds, seconds per byte, times, or bytes.
struct unit {
    std::string_view name;
    dimension counts;
    int exponent;
};

inline constexpr std::array units{
    unit{"us", dimension::time, -6},
    unit{"ns/B", dimension::time_per_byte, -9},
    unit{"transfers", dimension::transfers, 0},
    unit{"B", dimension::bytes, 0},
    unit{"s", dimension::time, 0},
    unit{"ms", dimension::time, -3},
    unit{"ns", dimension::time, -9},
    unit{"s/B", dimension::time_per_byte, 0},
    unit{"us/B", dimension::time_per_byte, -6},
};

/// The unit of a name, if it counts what is wanted.
[[nodiscard]] constexpr std::optional<unit> find_unit(std::string_view name, dimension wanted) {
    for (auto const& each : units) {
        if (each.name == name && each.counts == wanted) { return each; }
    }
    return std::nullopt;
}

/// The unit that files are written in.
[[nodiscard]] constexpr unit unit_of(dimension wanted) {
    for (auto const& each : units) {
        if (each.counts == wanted) { return each; }
    }
    return units.front();
}

/// The shortest decimal number that `number_of` turns into `value` again: the point is moved in the text, where nothing
/// is rounded.
[[nodiscard]] inline std::string decimal(double value, unit in) {
    std::array<char, 32> memory{};
    auto const end = std::to_chars(memory.begin(), memory.end(), value, std::chars_format::scientific).ptr;
    std::string_view const text{memory.data(), static_cast<std::size_t>(end - memory.data())};
    auto const e = text.find('e');
    if (value == 0 || e == text.npos) { return value == 0 ? "0" : std::string{text}; }
    std::string digits{text.substr(0, e)};
    std::string const sign = digits.front() == '-' ? "-" : "";
    std::erase_if(digits, [](char c) { return c == '-' || c == '.'; });
    auto const exponent = std::stoi(std::string{text.substr(e + 1)}) - in.exponent;
    auto const count = static_cast<int>(digits.size());
    if (exponent < -5 || exponent > 15) {
        digits.insert(1, count > 1 ? "." : "");
        return sign + digits + 'e' + std::to_string(exponent);
    }
    if (exponent < 0) { return sign + "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits; }
    if (count <= exponent + 1) {
        return sign + digits + std::string(static_cast<std::size_t>(exponent + 1 - count), '0');
    }
    return sign + digits.insert(static_cast<std::size_t>(exponent + 1), ".");
}

/// The value of a decimal number in a unit; nothing if it is none, or not finite.
[[nodiscard]] inline std::optional<double> number_of(std::string_view text, unit in) {
    auto const e = std::min(text.find_first_of("eE"), text.size());
    int exponent = 0;
    if (e != text.size()) {
        auto const from = text.data() + e + 1 + (text.substr(e + 1).starts_with('+') ? 1 : 0);
        auto const read = std::from_chars(from, text.data() + text.size(), exponent);
        if (read.ec != std::errc{} || read.ptr != text.data() + text.size()) { return std::nullopt; }
    }
    if (std::abs(static_cast<long>(exponent)) > 1000) { return std::nullopt; }
    auto const moved = std::string{text.substr(0, e)} + 'e' + std::to_string(exponent + in.exponent);
    double result = 0;
    auto const read = std::from_chars(moved.data(), moved.data() + moved.size(), result);
    if (read.ec != std::errc{} || read.ptr != moved.data() + moved.size() || !std::isfinite(result)) {
        return std::nullopt;
    }
    return result;
}

}  // namespace tutti::model_file
