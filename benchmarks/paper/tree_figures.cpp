// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <tutti/analysis/simulate.hpp>
#include <tutti/generator/fibonacci.hpp>
#include <tutti/generator/overlapped_greedy.hpp>
#include <tutti/generator/pattern/tree/greedy.hpp>

#include "../chart/chart.hpp"
#include "exhibit.hpp"
#include "gantt.hpp"
#include "tree_claims.hpp"

namespace tutti::paper {

namespace {

exhibit figure_1_of_trees() {
    exhibit result{.title = "CA figure 1: four elements",
                   .text =
                       "n = 4, a transfer takes as long as a combine (d = c = 1): the greedy tree's schedule, where a "
                       "machine combines while the next element comes."};
    auto const line = simulate(collective::reduce{}, overlapped_greedy{}, 4, 0, partition::equal(1, 1),
                               cost_model::per_block(1, 1, ports::overlapped));
    add_gantt(result, "trees_figure1", line, "Overlapped greedy: n = 4, d = c = 1",
              "Upper half of a lane: transfers, lower half: combines.");
    std::vector<double> starts;
    for (auto const& each : line.events) {
        if (each.what == activity::transfer) { starts.push_back(each.start); }
    }
    std::sort(starts.begin(), starts.end());
    std::string listed;
    for (auto const start : starts) { listed += (listed.empty() ? "" : ", ") + draw::number(start); }
    result.claims = {
        {"transfers start at 0, d and 2d", "0, 1, 2", listed, listed == "0, 1, 2", "another tree of the same length"}};
    return result;
}

/// Lengths of the strategy's trees over those of the best ones, at the same costs; entry i is for i + 1 elements.
std::vector<double> ratios_of(greedy_tree const& strategy, overlapped_costs costs) {
    auto const own = lengths(strategy, costs);
    auto const best = lengths(grow_greedy_tree(costs, strategy.size()), costs);
    std::vector<double> result(own.size(), 1.0);
    for (std::size_t i = 1; i < own.size(); ++i) {
        result[i] = static_cast<double>(own[i]) / static_cast<double>(best[i]);
    }
    return result;
}

/// A line through the values for n = 2, 3, ... that skips what lies between two equal ones.
charts::series steps(std::string name, std::vector<double> const& values) {
    charts::series result{.name = std::move(name), .drawn = charts::mark::line};
    for (std::size_t i = 1; i < values.size(); ++i) {
        bool const flat = i > 1 && i + 1 < values.size() && values[i - 1] == values[i] && values[i] == values[i + 1];
        if (!flat) { result.points.push_back({static_cast<double>(i + 1), values[i]}); }
    }
    return result;
}

std::string greatest(std::vector<double> const& values) {
    auto const at = std::max_element(values.begin(), values.end());
    return fixed(*at, 4) + " at n = " + std::to_string(at - values.begin() + 1);
}

bool at_most(std::vector<double> const& values, double limit) {
    return *std::max_element(values.begin(), values.end()) <= limit;
}

exhibit figure_2_of_trees() {
    constexpr std::size_t most = 10000;
    auto const binomial = ratios_of(tree_of(overlapped_greedy::binomial_strategy(), most), {1, 1});
    auto const fibonacci_ratios = ratios_of(tree_of(fibonacci{}, most), {0, 1});

    exhibit result{
        .title = "CA figure 2: approximation ratios of the binomial and the Fibonacci strategy",
        .text = "The length of the binomial strategy's tree at d = c, and of the Fibonacci strategy's tree at "
                "min(d, c) = 0, over that of the best tree, for 2 ≤ n ≤ 10000. Where n is no power of two, or no "
                "Fibonacci number, the strategies' trees depend on how ties are broken, which the paper leaves "
                "open; here the smallest machine wins."};
    charts::chart plot{.title = "Length / length of the best tree",
                       .x_label = "number of elements n",
                       .y_label = "ratio",
                       .log_x = true};
    plot.series = {steps("binomial strategy, d = c", binomial),
                   steps("Fibonacci strategy, min(d, c) = 0", fibonacci_ratios)};
    result.pictures.push_back({"trees_figure2.svg", charts::svg(plot), "Both are 1 at their own costs."});
    sheet rows{"trees_figure2.csv", {"n", "binomial", "fibonacci"}};
    for (std::size_t n = 2; n <= most; ++n) {
        rows.add(n, fixed(binomial[n - 1], 6), fixed(fibonacci_ratios[n - 1], 6));
    }
    result.sheets = {rows};
    result.claims = {
        {"theorem 18: at d = c the binomial strategy is a 2-approximation", "2 at most", greatest(binomial),
         at_most(binomial, 2)},
        {"theorem 19: the Fibonacci strategy is a 2-approximation", "2 at most", greatest(fibonacci_ratios),
         at_most(fibonacci_ratios, 2)},
    };
    for (auto& each : worst_cost_claims()) { result.claims.push_back(std::move(each)); }
    return result;
}

}  // namespace

std::vector<exhibit> tree_figures() { return {figure_1_of_trees(), figure_2_of_trees(), tree_bounds()}; }

}  // namespace tutti::paper
