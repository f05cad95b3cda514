// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include <tutti/analysis/draw/svg.hpp>
#include <tutti/analysis/timeline.hpp>

#include "../support/sheet.hpp"

namespace tutti::paper {

using tables::fixed;
using tables::fixed_value;
using tables::sheet;

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

/// "4, 3, 3", or with something else `between` them.
[[nodiscard]] inline std::string joined(std::vector<std::string> const& all, std::string const& between = ", ") {
    std::string result;
    for (auto const& each : all) { result += (&each == &all.front() ? "" : between) + each; }
    return result;
}

/// A timeline as a picture and a table of its events.
inline void add_gantt(exhibit& to, std::string const& name, timeline const& line, std::string const& title,
                      std::string const& caption) {
    sheet events{name + ".csv", {"kind", "rank", "peer", "block", "start", "end"}};
    for (auto const& each : line.events) {
        events.add(analysis::name(each.what), each.rank, each.peer, each.block, each.start, each.end);
    }
    to.pictures.push_back({name + ".svg", to_svg(line, {.title = title}), caption});
    to.sheets.push_back(std::move(events));
}

}  // namespace tutti::paper
