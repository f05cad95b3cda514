// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <tutti/analysis/table_formulas.hpp>

#include "../chart/chart.hpp"
#include "crossover.hpp"
#include "exhibit.hpp"

namespace tutti::paper {

namespace {

/// Whether the butterfly is faster for some m, by the formulas of table III, at β/γ = `ratio`.
bool butterfly_wins(std::size_t size, double ratio) {
    auto const costs = cost_model::linear(1e6, ratio, 1, ports::bidirectional);
    for (double m = 1e3; m < 1e9; m *= 1.01) {
        auto const elements = static_cast<std::size_t>(m);
        if (butterfly_time(size, static_cast<double>(elements), costs) <
            table_formula(bi_greedy{}, size, elements, costs)->best_time()) {
            return true;
        }
    }
    return false;
}

}  // namespace

std::vector<exhibit> figure_7() {
    exhibit result{
        .title = "LL figure 7: butterfly or bi-greedy",
        .text = "Below the line there is a message size for which the butterfly is faster than bi-greedy (or any "
                "reduction in ⌈log2 p⌉ + q - 1 rounds); above it there is none."};
    charts::chart plot{
        .title = "β/γ below which the butterfly can be faster", .x_label = "ranks p", .y_label = "β/γ", .log_x = true};
    charts::series line{.name = "", .drawn = charts::mark::line};
    sheet rows{"figure7.csv", {"p", "threshold", "numerator", "denominator"}};
    std::vector<std::size_t> above;
    for (std::size_t size = 4; size <= 1000; ++size) {
        auto const threshold = butterfly_threshold(size);
        rows.add(size, threshold.value(), threshold.numerator, threshold.denominator);
        line.points.push_back({static_cast<double>(size), threshold.value()});
        if (threshold.value() >= 5) { above.push_back(size); }
    }
    plot.series = {line};
    result.pictures.push_back(
        {"figure7.svg", charts::svg(plot), "For p = 2 and 3 the butterfly is always faster for some m."});

    std::string listed;
    for (auto const size : above) {
        listed += (listed.empty() ? "not for p = " : ", ") + std::to_string(size) + " (" +
                  fixed(butterfly_threshold(size).value(), 3) + ")";
    }
    result.claims.push_back({"up to 1000 processors β/γ must be less than 5 for the butterfly to be better", "all p",
                             above.empty() ? "4 ≤ p ≤ 1000" : listed, above.empty(),
                             "there ⌈log2 p⌉ is large beside p; for p = 2 and 3 there is no threshold at all"});
    tally crosses;
    for (auto const size : numbers{4, 5, 8, 16, 64, 100, 500, 1000}) {
        auto const threshold = butterfly_threshold(size).value();
        crosses.add(butterfly_wins(size, threshold * 0.98) && !butterfly_wins(size, threshold * 1.02));
    }
    result.claims.push_back(crosses.all("the formulas of table III cross where the line says: 2 % below and above it",
                                        "the line is not where they cross"));
    result.sheets = {rows};
    return {result};
}

}  // namespace tutti::paper
