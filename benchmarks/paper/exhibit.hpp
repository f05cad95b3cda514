// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "../chart/page.hpp"

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

[[nodiscard]] std::vector<exhibit> table_1();
[[nodiscard]] std::vector<exhibit> table_2();
[[nodiscard]] std::vector<exhibit> table_3();
[[nodiscard]] std::vector<exhibit> table_4();  ///< and figure 10, which is drawn from it
[[nodiscard]] std::vector<exhibit> figure_1();
[[nodiscard]] std::vector<exhibit> figure_3();
[[nodiscard]] std::vector<exhibit> figure_4();
[[nodiscard]] std::vector<exhibit> figure_5();
[[nodiscard]] std::vector<exhibit> figure_6();
[[nodiscard]] std::vector<exhibit> figure_7();
[[nodiscard]] std::vector<exhibit> figure_8();
[[nodiscard]] std::vector<exhibit> tree_figures();      ///< of Canon and Antoniu
[[nodiscard]] std::vector<exhibit> arrival_figure_6();  ///< of Proficz
[[nodiscard]] std::vector<exhibit> arrival_figure_8();

/// All of them, in the order of the papers.
[[nodiscard]] inline std::vector<part> const& all_parts() {
    static std::vector<part> const parts{
        {"table1", table_1},
        {"table2", table_2},
        {"figure1", figure_1},
        {"figure3", figure_3},
        {"figure4", figure_4},
        {"figure5", figure_5},
        {"table3", table_3},
        {"figure6", figure_6},
        {"figure7", figure_7},
        {"figure8", figure_8},
        {"table4", table_4},
        {"trees", tree_figures},
        {"arrival_figure6", arrival_figure_6},
        {"arrival_figure8", arrival_figure_8},
    };
    return parts;
}

/// Some numbers to go through.
using numbers = std::initializer_list<std::size_t>;

/// "61 of 986"
[[nodiscard]] inline std::string share(std::size_t some, std::size_t all) {
    return std::to_string(some) + " of " + std::to_string(all);
}

[[nodiscard]] inline bool equal(double a, double b) {
    return std::abs(a - b) <= 1e-9 * std::max({1.0, std::abs(a), std::abs(b)});
}

/// In how many of all cases something holds.
struct tally {
    std::size_t yes = 0;
    std::size_t cases = 0;

    void add(bool holds) {
        yes += holds ? 1U : 0U;
        ++cases;
    }

    /// The claim that it holds in all cases.
    [[nodiscard]] claim all(std::string what, std::string why_not) const {
        return {std::move(what), share(cases, cases) + " cases", share(yes, cases) + " cases", yes == cases,
                std::move(why_not)};
    }

    friend tally operator+(tally a, tally b) { return {a.yes + b.yes, a.cases + b.cases}; }
};

}  // namespace tutti::paper
