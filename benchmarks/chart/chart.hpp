// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tutti/analysis/draw/number.hpp>
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

    /// How wide a legend is whose longest name has `letters` letters.
    [[nodiscard]] static double legend_width(std::size_t letters) {
        return letters == 0 ? 0 : 40 + 6.8 * static_cast<double>(letters);
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
    std::size_t letters = 0;
    for (auto const& each : of.series) {
        letters = std::max(letters, each.name.size());
        for (auto const& [x, y] : each.points) {
            xs.push_back(x);
            ys.push_back(y);
        }
    }
    frame around{of.title,
                 {of.x_label, scale_of(xs, of.log_x), of.x_ticks},
                 {of.y_label, scale_of(ys, of.log_y), of.y_ticks},
                 frame::legend_width(letters)};
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
    std::size_t letters = 0;
    for (auto const& each : of.legend) { letters = std::max(letters, each.name.size()); }

    frame around{
        of.title, {of.x_label, x, of.x_ticks}, {of.y_label, y, of.y_ticks}, frame::legend_width(letters)};
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
