// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <tutti/analysis/draw/number.hpp>
#include <tutti/analysis/escaped.hpp>

namespace tutti::analysis::draw {

/// The colours of one block: `full` under white text, `light` under `dark` text.
struct ink {
    std::string_view full;
    std::string_view light;
    std::string_view dark;
};

/// Colours that differ in lightness too, so that neighbouring blocks differ in grey.
inline constexpr std::array<ink, 10> palette{{
    {"#2f6db3", "#d3e3f4", "#1d4675"},   // blue
    {"#d9722b", "#fbe2cf", "#8a4416"},   // orange
    {"#7458b0", "#e2daf2", "#463470"},   // violet
    {"#2e8b57", "#d2ecdd", "#1b5635"},   // green
    {"#b8375a", "#f6d5de", "#74203a"},   // crimson
    {"#1f8f9a", "#cfecef", "#125a61"},   // teal
    {"#8a6b2d", "#eee3c9", "#574219"},   // ochre
    {"#7d9a1e", "#e8f0c8", "#4d6010"},   // olive
    {"#5f6b7a", "#dfe3e8", "#38414c"},   // slate
    {"#c2529f", "#f6dbec", "#7c3064"},   // pink
}};

[[nodiscard]] constexpr ink const& colour_of(std::size_t block) { return palette[block % palette.size()]; }

/// A time axis: where times lie, and which of them to mark.
class axis {
public:
    /// Times [0, end] on [from, from + length], with marks at least `gap` apart.
    axis(double end, double from, double extent, double gap)
        : from_{from}, scale_{end > 0 ? extent / end : 0}, end_{end} {
        if (scale_ == 0) {
            step_ = 1;
            return;
        }
        auto const least = gap / scale_;
        bool is_found = false;
        for (auto decade = std::pow(10.0, std::floor(std::log10(least))); !is_found; decade *= 10) {
            for (double const factor : {1.0, 2.0, 5.0}) {
                step_ = factor * decade;
                is_found = step_ >= least && (step_ > end || has_room());
                if (is_found) { break; }
            }
        }
        // small whole times need no marks between them
        if (step_ < 1 && end == std::floor(end) && end >= 4) { step_ = 1; }
    }

    [[nodiscard]] double at(double time) const { return from_ + time * scale_; }

    [[nodiscard]] std::vector<double> marks() const {
        std::vector<double> result;
        for (int i = 0; i * step_ <= end_ * (1 + 1e-9); ++i) { result.push_back(i * step_); }
        return result;
    }

    /// A mark's time as text, without what rounding added.
    [[nodiscard]] static std::string label(double time) { return number(std::round(time * 1e9) / 1e9); }

private:
    /// Whether labels stand apart: a digit of 11 pixels is 6 wide.
    [[nodiscard]] bool has_room() const {
        std::size_t longest = 0;
        for (auto const time : marks()) { longest = std::max(longest, label(time).size()); }
        return step_ * scale_ >= 12 + 6.2 * static_cast<double>(longest);
    }

    double from_;
    double scale_;
    double end_;
    double step_ = 1;
};

/// `text` as it may stand in XML.
[[nodiscard]] inline std::string escaped(std::string_view text) {
    return analysis::escaped(text, {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}});
}

struct box_style {
    std::string_view fill;
    std::string_view stroke = "none";
    double stroke_width = 0.8;
};

struct line_style {
    std::string_view colour;
    double width = 1;
    std::string_view dashes = "";
};

struct text_style {
    double size = 12;
    std::string_view anchor = "start";
    std::string_view weight = "400";
    std::string_view fill = "#20262e";
};

/// An SVG picture that is drawn from top to bottom; its height is known in the end.
class svg_page {
public:
    explicit svg_page(double width) : width_{width} {}

    void box(double x, double y, double width, double height, box_style const& style, std::string_view note = "") {
        body_ += "<rect x=\"" + rounded(x) + "\" y=\"" + rounded(y) + "\" width=\"" + rounded(width) + "\" height=\"" +
                 rounded(height) + "\" fill=\"" + std::string{style.fill} + '"';
        if (style.stroke != "none") {
            body_ += " stroke=\"" + std::string{style.stroke} + "\" stroke-width=\"" + rounded(style.stroke_width) +
                     '"';
        }
        body_ += note.empty() ? "/>\n" : "><title>" + escaped(note) + "</title></rect>\n";
    }

    void line(double x1, double y1, double x2, double y2, line_style const& style) {
        body_ += "<line x1=\"" + rounded(x1) + "\" y1=\"" + rounded(y1) + "\" x2=\"" + rounded(x2) + "\" y2=\"" +
                 rounded(y2) + "\" stroke=\"" + std::string{style.colour} + "\" stroke-width=\"" +
                 rounded(style.width) + '"';
        if (!style.dashes.empty()) { body_ += " stroke-dasharray=\"" + std::string{style.dashes} + '"'; }
        body_ += "/>\n";
    }

    void text(double x, double y, std::string_view text, text_style const& style) {
        body_ += "<text x=\"" + rounded(x) + "\" y=\"" + rounded(y) + "\" font-size=\"" + rounded(style.size) +
                 "\" fill=\"" + std::string{style.fill} + '"';
        if (style.anchor != "start") { body_ += " text-anchor=\"" + std::string{style.anchor} + '"'; }
        if (style.weight != "400") { body_ += " font-weight=\"" + std::string{style.weight} + '"'; }
        body_ += '>' + escaped(text) + "</text>\n";
    }

    [[nodiscard]] std::string finish(double height) const {
        auto const wide = rounded(width_);
        auto const high = rounded(height);
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + wide + "\" height=\"" + high +
               "\" viewBox=\"0 0 " + wide + ' ' + high +
               "\" font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\">\n<defs>\n" + patterns() +
               "</defs>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n" + body_ + "</svg>\n";
    }

private:
    static std::string stripes(std::string const& id, std::string_view colour, double distance, double width) {
        auto const side = rounded(distance);
        return "<pattern id=\"" + id + "\" width=\"" + side + "\" height=\"" + side +
               "\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\"><line x1=\"0\" y1=\"0\" x2=\"0\" " +
               "y2=\"" + side + "\" stroke=\"" + std::string{colour} + "\" stroke-width=\"" + rounded(width) +
               "\"/></pattern>\n";
    }

    static std::string patterns() {
        auto result = stripes("away", "#c9ced6", 7, 3);
        for (std::size_t i = 0; i < palette.size(); ++i) {
            result += stripes("hatch" + std::to_string(i), palette[i].full, 5, 3.4);
        }
        return result;
    }

    double width_;
    std::string body_;
};

}  // namespace tutti::analysis::draw
