// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <array>
#include <cstddef>
#include <set>
#include <string>

namespace tutti::report {

/// "64 KiB", or all digits.
[[nodiscard]] inline std::string told_bytes(std::size_t bytes) {
    constexpr std::array<char const*, 4> units{" B", " KiB", " MiB", " GiB"};
    std::size_t unit = 0;
    while (bytes != 0 && bytes % 1024 == 0 && unit + 1 < units.size()) {
        bytes /= 1024;
        ++unit;
    }
    return std::to_string(bytes) + units[unit];
}

/// "3", or "3 to 7".
[[nodiscard]] inline std::string range(std::string const& least, std::string const& most) {
    return least == most ? least : least + " to " + most;
}

[[nodiscard]] inline std::string listed(std::set<std::string> const& names) {
    if (names.empty()) { return "-"; }
    std::string result;
    for (auto const& each : names) { result += (result.empty() ? "" : ", ") + each; }
    return result;
}

/// "1 cell", "7 cells"
[[nodiscard]] inline std::string counted(std::size_t count, std::string const& what) {
    return std::to_string(count) + ' ' + what + (count == 1 ? "" : "s");
}

}  // namespace tutti::report
