// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <tutti/analysis/draw/number.hpp>
#include <tutti/analysis/draw/palette.hpp>

#include "frame.hpp"
#include "scale.hpp"

namespace tutti::charts {

struct point {
    double x;
    double y;
};

enum class mark : std::uint8_t { line, points, both };

/// Points in the order in which the line joins them. A point that the axes cannot show (not finite, or not positive
/// on a logarithmic axis) is left out and interrupts the line.
struct series {
    std::string name;
    std::vector<point> points = {};
    mark drawn = mark::both;
    bool dashed = false;
};

/// Lines over two axes. Axes cover the data; ticks that are given take the place of those chosen for them.
struct chart {
    std::string title;
    std::string x_label;
    std::string y_label;
    bool log_x = false;
    bool log_y = false;
    std::vector<charts::series> series = {};
    std::vector<tick> x_ticks = {};
    std::vector<tick> y_ticks = {};
};

/// The least and the greatest value that an axis can show; [0, 1], or [1, 10], if there are none.
[[nodiscard]] inline scale scale_of(std::vector<double> const& values, bool logarithmic) {
    auto least = std::numeric_limits<double>::infinity();
    auto greatest = -least;
    for (auto const each : values) {
        if (!std::isfinite(each) || (logarithmic && each <= 0)) { continue; }
        least = std::min(least, each);
        greatest = std::max(greatest, each);
    }
    if (least > greatest) { return {logarithmic ? 1.0 : 0.0, logarithmic ? 10.0 : 1.0, logarithmic}; }
    return {least, greatest, logarithmic};
}

/// A chart as an SVG picture. A pointer that rests on a point shows its name and its values.
[[nodiscard]] inline std::string svg(chart const& of) {
    std::vector<double> xs;
    std::vector<double> ys;
    std::size_t control_messages = 0;
    for (auto const& each : of.series) {
        control_messages = std::max(control_messages, each.name.size());
        for (auto const& [x, y] : each.points) {
            xs.push_back(x);
            ys.push_back(y);
        }
    }
    frame around{of.title,
                 {of.x_label, scale_of(xs, of.log_x), of.x_ticks},
                 {of.y_label, scale_of(ys, of.log_y), of.y_ticks},
                 frame::legend_width(control_messages)};
    around.draw_grid();
    around.draw_axes();
    for (std::size_t i = 0; i < of.series.size(); ++i) {
        auto const& each = of.series[i];
        auto const colour = draw::colour_of(i).full;
        draw::line_style const style{.colour = colour, .width = 1.8, .dashes = each.dashed ? "6 4" : ""};
        std::vector<std::pair<double, double>> corners;
        auto const flush = [&] {
            if (each.drawn != mark::points && corners.size() > 1) { around.page().polyline(corners, style); }
            corners.clear();
        };
        for (auto const& [x, y] : each.points) {
            if (around.shows(x, y)) {
                corners.emplace_back(around.at_x(x), around.at_y(y));
            } else {
                flush();
            }
        }
        flush();
        if (each.drawn != mark::line) {
            for (auto const& [x, y] : each.points) {
                if (!around.shows(x, y)) { continue; }
                around.page().dot(around.at_x(x), around.at_y(y), 2.6, colour,
                                  each.name + ": " + draw::number(x) + ", " + draw::number(y));
            }
        }
        if (each.name.empty()) { continue; }
        around.add_legend(each.name, [&](double x, double y) {
            if (each.drawn != mark::points) { around.page().line(x, y, x + 24, y, style); }
            if (each.drawn != mark::line) { around.page().dot(x + 12, y, 2.6, colour); }
        });
    }
    return around.finish();
}

}  // namespace tutti::charts
