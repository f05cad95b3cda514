// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tutti/analysis/draw/number.hpp>
#include <tutti/analysis/draw/palette.hpp>

namespace tutti::draw {

/// `text` as it may stand in XML.
[[nodiscard]] inline std::string escaped(std::string_view text) {
    std::string result;
    for (auto const letter : text) {
        switch (letter) {
            case '&': result += "&amp;"; break;
            case '<': result += "&lt;"; break;
            case '>': result += "&gt;"; break;
            case '"': result += "&quot;"; break;
            default: result += letter;
        }
    }
    return result;
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

    void polyline(std::vector<std::pair<double, double>> const& corners, line_style const& style) {
        body_ += "<polyline fill=\"none\" stroke=\"" + std::string{style.colour} + "\" stroke-width=\"" +
                 rounded(style.width) + "\" stroke-linejoin=\"round\"";
        if (!style.dashes.empty()) { body_ += " stroke-dasharray=\"" + std::string{style.dashes} + '"'; }
        body_ += " points=\"";
        for (auto const& [x, y] : corners) { body_ += rounded(x) + ',' + rounded(y) + ' '; }
        body_ += "\"/>\n";
    }

    void dot(double x, double y, double radius, std::string_view fill, std::string_view note = "") {
        body_ += "<circle cx=\"" + rounded(x) + "\" cy=\"" + rounded(y) + "\" r=\"" + rounded(radius) + "\" fill=\"" +
                 std::string{fill} + '"';
        body_ += note.empty() ? "/>\n" : "><title>" + escaped(note) + "</title></circle>\n";
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

}  // namespace tutti::draw
