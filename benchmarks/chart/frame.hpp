// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tutti/analysis/draw/svg_page.hpp>

#include "scale.hpp"

namespace tutti::charts {

/// What stands on one axis. Ticks that are given take the place of those the scale would choose.
struct axis_of {
    std::string label;
    scale values;
    std::vector<tick> ticks;
};

/// The rectangle of a picture in which data are drawn, with its title, axes, grid and legend.
class frame {
public:
    static constexpr double width = 600;
    static constexpr double height = 380;

    frame(std::string const& title, axis_of x, axis_of y, double legend_width)
        : x_{std::move(x)}, y_{std::move(y)}, page_{left + width + 24 + legend_width} {
        if (x_.ticks.empty()) { x_.ticks = x_.values.ticks(); }
        if (y_.ticks.empty()) { y_.ticks = y_.values.ticks(); }
        page_.text(left, 28, title, {.size = 17, .weight = "600"});
        page_.text(left - 46, top - 14, y_.label, {.size = 12, .fill = ink});
        page_.box(left, top, width, height, {.fill = "#fbfbfc"});
    }

    [[nodiscard]] draw::svg_page& page() { return page_; }
    [[nodiscard]] double at_x(double value) const { return left + width * x_.values.at(value); }
    [[nodiscard]] double at_y(double value) const { return top + height * (1 - y_.values.at(value)); }
    [[nodiscard]] bool shows(double x, double y) const { return x_.values.shows(x) && y_.values.shows(y); }

    void draw_grid() {
        for (auto const& each : x_.ticks) {
            auto const x = at_x(each.value);
            page_.line(x, top, x, top + height, {.colour = each.label.empty() ? faint : grid, .width = 0.8});
        }
        for (auto const& each : y_.ticks) {
            auto const y = at_y(each.value);
            page_.line(left, y, left + width, y, {.colour = each.label.empty() ? faint : grid, .width = 0.8});
        }
    }

    void draw_axes() {
        auto const bottom = top + height;
        for (auto const& each : x_.ticks) {
            auto const x = at_x(each.value);
            page_.line(x, bottom, x, bottom + (each.label.empty() ? 3 : 5), {.colour = ink});
            page_.text(x, bottom + 19, each.label, {.size = 11, .anchor = "middle", .fill = ink});
        }
        for (auto const& each : y_.ticks) {
            auto const y = at_y(each.value);
            page_.line(left - (each.label.empty() ? 3 : 5), y, left, y, {.colour = ink});
            page_.text(left - 9, y + 4, each.label, {.size = 11, .anchor = "end", .fill = ink});
        }
        page_.line(left, bottom, left + width, bottom, {.colour = ink});
        page_.line(left, top, left, bottom, {.colour = ink});
        page_.text(left + width / 2, bottom + 39, x_.label, {.size = 12, .anchor = "middle", .fill = ink});
    }

    /// The next line of the legend: `sample(x, y)` draws 24 pixels from x on, around the height y.
    void add_legend(std::string_view name, std::function<void(double, double)> const& sample) {
        auto const x = left + width + 20;
        auto const y = top + 10 + 21 * static_cast<double>(entries_++);
        sample(x, y);
        page_.text(x + 32, y + 4, name, {.size = 12});
    }

    [[nodiscard]] std::string finish() const {
        return page_.finish(std::max(top + height + 54, top + 20 + 21 * static_cast<double>(entries_)));
    }

    /// How wide a legend is whose longest name has `control_messages` letters.
    [[nodiscard]] static double legend_width(std::size_t control_messages) {
        return control_messages == 0 ? 0 : 40 + 6.8 * static_cast<double>(control_messages);
    }

private:
    static constexpr double left = 66;
    static constexpr double top = 72;
    static constexpr std::string_view ink = "#4a5260";
    static constexpr std::string_view grid = "#dde1e6";
    static constexpr std::string_view faint = "#eef0f3";

    axis_of x_;
    axis_of y_;
    draw::svg_page page_;
    std::size_t entries_ = 0;
};

}  // namespace tutti::charts
