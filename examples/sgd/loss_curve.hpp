// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <sstream>
#include <string>
#include <vector>

namespace sgd {

/// The step between marks on an axis: 1, 2 or 5 times a power of ten, for at most ten marks.
[[nodiscard]] inline double step_of_marks(double end) {
    auto const ten = std::pow(10, std::floor(std::log10(end / 10)));
    for (double const step : {1.0, 2.0, 5.0}) {
        if (end <= 10 * step * ten) { return step * ten; }
    }
    return 10 * ten;
}

/// The loss over the iterations, as an SVG picture.
[[nodiscard]] inline std::string loss_curve(std::vector<float> const& losses, std::string const& title) {
    auto const iterations = static_cast<double>(losses.size());
    auto const step = step_of_marks(*std::max_element(losses.begin(), losses.end()));
    auto const most = step * std::ceil(*std::max_element(losses.begin(), losses.end()) / step);
    auto const x = [&](double iteration) { return 70 + 540 * iteration / iterations; };
    auto const y = [&](double loss) { return 340 - 280 * loss / most; };

    std::ostringstream svg;
    auto const line = [&](double x1, double y1, double x2, double y2, auto colour) {
        svg << "<line x1='" << x1 << "' y1='" << y1 << "' x2='" << x2 << "' y2='" << y2 << "' stroke='" << colour
            << "'/>\n";
    };
    auto const text = [&](double left, double top, auto anchor, auto const& what) {
        svg << "<text x='" << left << "' y='" << top << "' text-anchor='" << anchor << "'>" << what << "</text>\n";
    };

    svg << "<svg xmlns='http://www.w3.org/2000/svg' width='640' height='400' viewBox='0 0 640 400' "
           "font-family='Helvetica, Arial, sans-serif' font-size='13' fill='#20262e'>\n"
           "<rect width='640' height='400' fill='#ffffff'/>\n";
    for (int i = 0; i * step <= most * 1.001; ++i) {
        line(x(0), y(i * step), x(iterations), y(i * step), i == 0 ? "#20262e" : "#dde1e7");
        text(x(0) - 8, y(i * step) + 4, "end", i * step);
    }
    auto const wide = std::max(1.0, step_of_marks(iterations));
    for (int i = 0; i * wide <= iterations; ++i) {
        line(x(i * wide), y(0), x(i * wide), y(0) + 5, "#20262e");
        text(x(i * wide), y(0) + 20, "middle", i * wide);
    }
    text(x(iterations), y(0) + 40, "end", "iteration");
    text(x(0), y(most) - 14, "end", "loss");
    text(x(iterations / 2), 26, "middle", title);

    svg << "<polyline fill='none' stroke='#2166ac' stroke-width='2' stroke-linejoin='round' points='";
    for (std::size_t i = 0; i < losses.size(); ++i) {
        svg << x(static_cast<double>(i + 1)) << ',' << y(losses[i]) << ' ';
    }
    svg << "'/>\n</svg>\n";
    return svg.str();
}

}  // namespace sgd
