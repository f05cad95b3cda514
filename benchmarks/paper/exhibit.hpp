// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <vector>

#include "../chart/rounding.hpp"
#include "../chart/sheet.hpp"

namespace tutti::paper {

using charts::fixed;
using charts::fixed_value;
using charts::sheet;

struct picture {
    std::string file;
    std::string svg;
    std::string caption;
};

/// Something that a paper says, beside what comes out here.
struct claim {
    std::string what;
    std::string said;
    std::string computed;
    bool agrees;
    std::string why_not = {};  ///< where it differs
};

/// One table or figure of a paper.
struct exhibit {
    std::string title;
    std::string text;
    std::vector<picture> pictures = {};
    std::vector<sheet> sheets = {};
    std::vector<claim> claims = {};
};

/// What makes one or more exhibits; `name` is how the command line calls it.
struct part {
    std::string name;
    std::vector<exhibit> (*make)();
};

/// All parts, in the order of the papers.
[[nodiscard]] std::vector<part> const& all_parts();

/// Some numbers to go through.
using numbers = std::initializer_list<std::size_t>;

/// "61 of 986"
[[nodiscard]] inline std::string share(std::size_t some, std::size_t all) {
    return std::to_string(some) + " of " + std::to_string(all);
}

[[nodiscard]] inline bool equal(double a, double b) {
    return std::abs(a - b) <= 1e-9 * std::max({1.0, std::abs(a), std::abs(b)});
}

}  // namespace tutti::paper
