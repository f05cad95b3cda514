// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "frame.hpp"
#include "scale.hpp"

namespace tutti::charts {

/// A rectangle of a map; `label` stands in its middle, `note` is shown by a pointer that rests on it.
struct cell {
    double left;
    double right;
    double bottom;
    double top;
    std::string fill;
    std::string note;
    std::string label = {};
    bool dark = false;  ///< the label is white
};

struct map_key {
    std::string name;
    std::string fill;
};

/// Coloured rectangles over two axes, which end where the rectangles do.
struct map {
    std::string title;
    std::string x_label;
    std::string y_label;
    bool log_x = false;
    bool log_y = false;
    std::vector<cell> cells = {};
    std::vector<map_key> legend = {};
    std::vector<tick> x_ticks = {};
    std::vector<tick> y_ticks = {};
};

/// A colour from white (0) to dark blue (1).
[[nodiscard]] inline std::string shade(double share) {
    constexpr std::array<std::array<double, 3>, 4> stops{
        {{255, 255, 255}, {171, 205, 232}, {70, 138, 199}, {16, 54, 112}}};
    auto const place = std::clamp(share, 0.0, 1.0) * (stops.size() - 1);
    auto const low = std::min(static_cast<std::size_t>(place), stops.size() - 2);
    auto const part = place - static_cast<double>(low);
    std::string result = "#";
    for (std::size_t i = 0; i < 3; ++i) {
        auto const value = static_cast<unsigned>(std::lround(stops[low][i] * (1 - part) + stops[low + 1][i] * part));
        result += "0123456789abcdef"[value / 16];
        result += "0123456789abcdef"[value % 16];
    }
    return result;
}

/// A map as an SVG picture.
[[nodiscard]] inline std::string svg(map const& of) {
    auto const least = [&](auto side) {
        return std::min_element(of.cells.begin(), of.cells.end(),
                                [&](cell const& a, cell const& b) { return a.*side < b.*side; });
    };
    auto const most = [&](auto side) {
        return std::max_element(of.cells.begin(), of.cells.end(),
                                [&](cell const& a, cell const& b) { return a.*side < b.*side; });
    };
    bool const none = of.cells.empty();
    auto const x =
        none ? scale{1, 10, of.log_x} : scale::exact(least(&cell::left)->left, most(&cell::right)->right, of.log_x);
    auto const y =
        none ? scale{1, 10, of.log_y} : scale::exact(least(&cell::bottom)->bottom, most(&cell::top)->top, of.log_y);
    std::size_t control_messages = 0;
    for (auto const& each : of.legend) { control_messages = std::max(control_messages, each.name.size()); }

    frame around{
        of.title, {of.x_label, x, of.x_ticks}, {of.y_label, y, of.y_ticks}, frame::legend_width(control_messages)};
    for (auto const& each : of.cells) {
        auto const left = around.at_x(each.left);
        auto const right = around.at_x(each.right);
        auto const high = around.at_y(each.top);
        auto const low = around.at_y(each.bottom);
        around.page().box(left, high, right - left, low - high, {.fill = each.fill}, each.note);
        if (!each.label.empty()) {
            around.page().text((left + right) / 2, (high + low) / 2 + 4, each.label,
                               {.size = 10, .anchor = "middle", .fill = each.dark ? "#ffffff" : "#20262e"});
        }
    }
    around.draw_axes();
    for (auto const& each : of.legend) {
        around.add_legend(each.name, [&](double at, double height) {
            around.page().box(at, height - 7, 24, 14, {.fill = each.fill, .stroke = "#8b93a0"});
        });
    }
    return around.finish();
}

}  // namespace tutti::charts
