// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <tutti/analysis/draw/svg_page.hpp>
#include <tutti/analysis/draw/number.hpp>

namespace tutti::charts {

/// A marked value of an axis; without a label, only a thin line.
struct tick {
    double value;
    std::string label;
};

/// Where values lie between 0 and 1 along an axis, linear or logarithmic, and which of them to mark.
class scale {
public:
    /// An axis of `values`, widened to round ones; [0, 1], or [1, 10], if there is none that it can show.
    scale(std::vector<double> const& values, bool logarithmic) : logarithmic_{logarithmic} {
        auto least = std::numeric_limits<double>::infinity();
        auto greatest = -least;
        for (auto const each : values) {
            if (!std::isfinite(each) || (logarithmic && each <= 0)) { continue; }
            least = std::min(least, each);
            greatest = std::max(greatest, each);
        }
        if (least > greatest) {
            least = logarithmic ? 1 : 0;
            greatest = logarithmic ? 10 : 1;
        }
        ends_ = {least, greatest};
        if (logarithmic_) {
            from_ = below(least);
            to_ = above(greatest);
        } else {
            step_ = step_of(greatest - least);
            from_ = std::floor(least / step_ + 1e-9) * step_;
            to_ = std::ceil(greatest / step_ - 1e-9) * step_;
        }
        if (from_ == to_) {
            from_ = logarithmic_ ? from_ / 10 : from_ - step_;
            to_ = logarithmic_ ? to_ * 10 : to_ + step_;
        }
    }

    /// The same without widening.
    [[nodiscard]] scale exact() const {
        auto result = *this;
        if (ends_.first < ends_.second) { std::tie(result.from_, result.to_) = ends_; }
        return result;
    }

    [[nodiscard]] double at(double value) const { return (bent(value) - bent(from_)) / (bent(to_) - bent(from_)); }

    [[nodiscard]] bool shows(double value) const {
        return std::isfinite(value) && (!logarithmic_ || value > 0) && at(value) > -1e-9 && at(value) < 1 + 1e-9;
    }

    [[nodiscard]] std::vector<tick> ticks() const {
        std::vector<tick> result;
        auto const add = [&](double value, std::string label) {
            if (shows(value)) { result.push_back({value, std::move(label)}); }
        };
        if (!logarithmic_) {
            for (auto i = std::ceil(from_ / step_ - 1e-9); i * step_ <= to_ + 1e-9 * step_; ++i) {
                add(i * step_, draw::axis::label(i * step_));
            }
            return result;
        }
        auto const decades = std::log10(to_ / from_);
        auto const every = std::max(1, static_cast<int>(decades / 8));
        for (int power = first_power(); std::pow(10.0, power) <= to_ * (1 + 1e-9); ++power) {
            for (int digit = 1; digit < 10; ++digit) {
                bool const named = digit == 1 ? power % every == 0 : decades < 2.5 && (digit == 2 || digit == 5);
                if (!named && decades > 5) { continue; }
                add(digit * std::pow(10.0, power), named ? power_of_ten(digit, power) : "");
            }
        }
        return result;
    }

private:
    [[nodiscard]] double bent(double value) const { return logarithmic_ ? std::log10(value) : value; }
    [[nodiscard]] int first_power() const { return static_cast<int>(std::floor(std::log10(from_) + 1e-9)); }

    /// 1, 2 or 5 times a power of ten, for about five steps.
    static double step_of(double range) {
        if (!(range > 0)) { return 1; }
        auto const least = range / 6;
        auto const power = std::pow(10.0, std::floor(std::log10(least)));
        for (double const factor : {1.0, 2.0, 5.0}) {
            if (factor * power >= least) { return factor * power; }
        }
        return 10 * power;
    }

    static double below(double value) {
        auto const power = std::pow(10.0, std::floor(std::log10(value) + 1e-9));
        return value >= 5 * power ? 5 * power : value >= 2 * power ? 2 * power : power;
    }
    static double above(double value) {
        auto const power = std::pow(10.0, std::floor(std::log10(value) + 1e-9));
        auto const reach = value * (1 - 1e-9);
        return reach <= power ? power : reach <= 2 * power ? 2 * power : reach <= 5 * power ? 5 * power : 10 * power;
    }

    static std::string power_of_ten(int digit, int power) {
        if (power >= -2 && power <= 3) { return draw::axis::label(digit * std::pow(10.0, power)); }
        constexpr std::array<std::string_view, 10> raised{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
        std::string result = digit == 1 ? "10" : std::to_string(digit) + "·10";
        if (power < 0) { result += "⁻"; }
        for (auto const letter : std::to_string(std::abs(power))) {
            result += raised[static_cast<std::size_t>(letter - '0')];
        }
        return result;
    }

    bool logarithmic_;
    std::pair<double, double> ends_;  // of the values
    double from_ = 0;
    double to_ = 1;
    double step_ = 1;
};

struct point {
    double x;
    double y;
};

/// Points in the order in which the line joins them. A point that the axes cannot show (not finite, or not positive
/// on a logarithmic axis) is left out and interrupts the line.
struct series {
    std::string name;
    std::vector<point> points = {};
    bool dots = true;  ///< at the points
    bool dashed = false;
};

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

struct colour_key {
    std::string name;
    std::string fill;
};

/// Lines, or coloured rectangles, over two axes. Axes cover the lines, and end where the rectangles do; ticks that are
/// given take the place of those chosen for them.
struct chart {
    std::string title;
    std::string x_label;
    std::string y_label;
    bool log_x = false;
    bool log_y = false;
    std::vector<charts::series> series = {};
    std::vector<cell> cells = {};
    std::vector<colour_key> legend = {};  ///< of the rectangles
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

/// A chart while it is drawn.
class drawing {
public:
    explicit drawing(chart const& of) : of_{of}, x_{axis(0)}, y_{axis(1)}, page_{left + width + 24 + legend_width()} {
        page_.text(left, 28, of.title, {.size = 17, .weight = "600"});
        page_.text(left - 46, top - 14, of.y_label, {.size = 12, .fill = ink});
        page_.box(left, top, width, height, {.fill = "#fbfbfc"});
        auto const x_ticks = of.x_ticks.empty() ? x_.ticks() : of.x_ticks;
        auto const y_ticks = of.y_ticks.empty() ? y_.ticks() : of.y_ticks;
        if (of.cells.empty()) { draw_grid(x_ticks, y_ticks); }
        for (auto const& each : of.cells) { draw_cell(each); }
        draw_axes(x_ticks, y_ticks);
        for (std::size_t i = 0; i < of.series.size(); ++i) { draw_series(of.series[i], draw::colour_of(i).full); }
        for (auto const& each : of.legend) {
            add_legend(each.name, [&](double x, double y) {
                page_.box(x, y - 7, 24, 14, {.fill = each.fill, .stroke = "#8b93a0"});
            });
        }
    }

    [[nodiscard]] std::string finish() const {
        return page_.finish(std::max(top + height + 54, top + 20 + 21 * static_cast<double>(entries_)));
    }

private:
    [[nodiscard]] scale axis(int dimension) const {
        std::vector<double> values;
        for (auto const& line : of_.series) {
            for (auto const& [x, y] : line.points) { values.push_back(dimension == 0 ? x : y); }
        }
        for (auto const& each : of_.cells) {
            values.push_back(dimension == 0 ? each.left : each.bottom);
            values.push_back(dimension == 0 ? each.right : each.top);
        }
        scale const widened{values, dimension == 0 ? of_.log_x : of_.log_y};
        return of_.cells.empty() ? widened : widened.exact();
    }

    [[nodiscard]] double legend_width() const {
        std::size_t letters = 0;
        for (auto const& each : of_.series) { letters = std::max(letters, each.name.size()); }
        for (auto const& each : of_.legend) { letters = std::max(letters, each.name.size()); }
        return letters == 0 ? 0 : 40 + 6.8 * static_cast<double>(letters);
    }

    [[nodiscard]] double at_x(double value) const { return left + width * x_.at(value); }
    [[nodiscard]] double at_y(double value) const { return top + height * (1 - y_.at(value)); }

    void draw_grid(std::vector<tick> const& x_ticks, std::vector<tick> const& y_ticks) {
        for (auto const& each : x_ticks) {
            auto const x = at_x(each.value);
            page_.line(x, top, x, top + height, {.colour = each.label.empty() ? faint : grid, .width = 0.8});
        }
        for (auto const& each : y_ticks) {
            auto const y = at_y(each.value);
            page_.line(left, y, left + width, y, {.colour = each.label.empty() ? faint : grid, .width = 0.8});
        }
    }

    void draw_axes(std::vector<tick> const& x_ticks, std::vector<tick> const& y_ticks) {
        auto const bottom = top + height;
        for (auto const& each : x_ticks) {
            auto const x = at_x(each.value);
            page_.line(x, bottom, x, bottom + (each.label.empty() ? 3 : 5), {.colour = ink});
            page_.text(x, bottom + 19, each.label, {.size = 11, .anchor = "middle", .fill = ink});
        }
        for (auto const& each : y_ticks) {
            auto const y = at_y(each.value);
            page_.line(left - (each.label.empty() ? 3 : 5), y, left, y, {.colour = ink});
            page_.text(left - 9, y + 4, each.label, {.size = 11, .anchor = "end", .fill = ink});
        }
        page_.line(left, bottom, left + width, bottom, {.colour = ink});
        page_.line(left, top, left, bottom, {.colour = ink});
        page_.text(left + width / 2, bottom + 39, of_.x_label, {.size = 12, .anchor = "middle", .fill = ink});
    }

    void draw_cell(cell const& one) {
        auto const from = at_x(one.left);
        auto const to = at_x(one.right);
        auto const high = at_y(one.top);
        auto const low = at_y(one.bottom);
        page_.box(from, high, to - from, low - high, {.fill = one.fill}, one.note);
        if (one.label.empty()) { return; }
        page_.text((from + to) / 2, (high + low) / 2 + 4, one.label,
                   {.size = 10, .anchor = "middle", .fill = one.dark ? "#ffffff" : "#20262e"});
    }

    void draw_series(series const& one, std::string_view colour) {
        draw::line_style const style{.colour = colour, .width = 1.8, .dashes = one.dashed ? "6 4" : ""};
        std::vector<std::pair<double, double>> corners;
        auto const flush = [&] {
            if (corners.size() > 1) { page_.polyline(corners, style); }
            corners.clear();
        };
        auto const shows = [&](point const& at) { return x_.shows(at.x) && y_.shows(at.y); };
        for (auto const& at : one.points) {
            if (shows(at)) {
                corners.emplace_back(at_x(at.x), at_y(at.y));
            } else {
                flush();
            }
        }
        flush();
        for (auto const& at : one.points) {
            if (!one.dots || !shows(at)) { continue; }
            page_.dot(at_x(at.x), at_y(at.y), 2.6, colour,
                      one.name + ": " + draw::number(at.x) + ", " + draw::number(at.y));
        }
        if (one.name.empty()) { return; }
        add_legend(one.name, [&](double x, double y) {
            page_.line(x, y, x + 24, y, style);
            if (one.dots) { page_.dot(x + 12, y, 2.6, colour); }
        });
    }

    /// The next line of the legend: `sample(x, y)` draws 24 pixels from x on, around the height y.
    void add_legend(std::string_view name, std::function<void(double, double)> const& sample) {
        auto const x = left + width + 20;
        auto const y = top + 10 + 21 * static_cast<double>(entries_++);
        sample(x, y);
        page_.text(x + 32, y + 4, name, {.size = 12});
    }

    static constexpr double left = 66;
    static constexpr double top = 72;
    static constexpr double width = 600;
    static constexpr double height = 380;
    static constexpr std::string_view ink = "#4a5260";
    static constexpr std::string_view grid = "#dde1e6";
    static constexpr std::string_view faint = "#eef0f3";

    chart const& of_;
    scale x_;
    scale y_;
    draw::svg_page page_;
    std::size_t entries_ = 0;
};

/// A chart as an SVG picture. A pointer that rests on a point shows its name and its values.
[[nodiscard]] inline std::string svg(chart const& of) { return drawing{of}.finish(); }

}  // namespace tutti::charts
