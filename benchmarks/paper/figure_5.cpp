// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "../chart/chart.hpp"
#include "comparison.hpp"
#include "exhibit.hpp"
#include "parallel.hpp"

namespace tutti::paper {

namespace {

constexpr double darkest = 0.65;

/// p = 4 to 1024 and m = 4 to 65536, doubling; p by p.
std::vector<comparison> all_comparisons() {
    constexpr std::size_t sizes = 9;
    constexpr std::size_t lengths = 15;
    std::vector<std::optional<comparison>> found(sizes * lengths);
    // in the order of what they cost: p m log m
    std::vector<std::size_t> order(found.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    auto const work = [&](std::size_t i) { return i / lengths + i % lengths; };
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return work(a) < work(b); });
    in_parallel(order.size(), [&](std::size_t i) {
        auto const place = order[i];
        found[place].emplace(std::size_t{4} << place / lengths, std::size_t{4} << place % lengths);
    });
    std::vector<comparison> result;
    for (auto const& each : found) { result.push_back(*each); }
    return result;
}

charts::map map_of(std::vector<comparison> const& all) {
    charts::map plot{.title = "Best standard algorithm / uni-greedy: α = 10, β = 1, γ = 0",
                     .x_label = "ranks p",
                     .y_label = "message size m",
                     .log_x = true,
                     .log_y = true};
    auto const side = std::sqrt(2.0);
    for (auto const& each : all) {
        auto const p = static_cast<double>(each.size);
        auto const m = static_cast<double>(each.elements);
        auto const share = (each.ratio() - 1) / darkest;
        plot.cells.push_back({p / side, p * side, m / side, m * side, charts::shade(share),
                              "p = " + std::to_string(each.size) + ", m = " + std::to_string(each.elements) + ": " +
                                  fixed(each.ratio(), 4) + ", s = " + std::to_string(each.greedy.segment),
                              fixed(each.ratio(), 2), share > 0.6});
        if (each.elements == 4) { plot.x_ticks.push_back({p, std::to_string(each.size)}); }
        if (each.size == 4) { plot.y_ticks.push_back({m, std::to_string(each.elements)}); }
    }
    for (auto const ratio : {1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6}) {
        plot.legend.push_back({draw::number(ratio), charts::shade((ratio - 1) / darkest)});
    }
    return plot;
}

}  // namespace

std::vector<exhibit> figure_5() {
    auto const all = all_comparisons();
    exhibit result{.title = "LL figure 5: uni-greedy beside the best standard algorithm, one port",
                   .text =
                       "α = 10, β = 1, γ = 0; the best T_opt of binomial, pipeline and binary tree over the time of "
                       "uni-greedy in the best of all equal segment sizes."};
    result.pictures.push_back({"figure5.svg", charts::svg(map_of(all)), "White: as fast. Dark: uni-greedy is faster."});

    sheet rows{"figure5.csv", {"p", "m", "uni_greedy", "s", "q", "binomial", "pipeline", "binary_tree", "ratio"}};
    tally never_slower;
    double greatest = 0;
    std::vector<std::size_t> wide;  // per p: message sizes at which much is gained
    for (auto const& each : all) {
        rows.add(each.size, each.elements, each.greedy.time, each.greedy.segment, each.greedy.segments,
                 each.binomial_time, fixed(each.pipeline_time, 3), fixed(each.binary_time, 3), fixed(each.ratio(), 4));
        never_slower.add(each.ratio() > 1 - 1e-12);
        greatest = std::max(greatest, each.ratio());
        if (each.elements == 4) { wide.push_back(0); }
        if (each.ratio() >= 1.4) { ++wide.back(); }
    }
    std::string listed;
    for (auto const each : wide) { listed += (listed.empty() ? "" : ", ") + std::to_string(each); }
    result.claims = {
        never_slower.all("uni-greedy is never slower than a standard algorithm",
                         "the optimum over integer segments is worse"),
        {"with more ranks uni-greedy gains most on more message sizes: how many of the 15 have a ratio of 1.4 or more, "
         "p = 4 to 1024",
         "more and more", listed, std::is_sorted(wide.begin(), wide.end()), "their number falls somewhere"},
        {"where it gains most the ratio is about 1.5", "about 1.5", fixed(greatest, 3) + " at most", greatest < 1.55,
         "a little more: about 1.6 for p ≥ 64"},
    };
    result.sheets = {rows};
    return {result};
}

}  // namespace tutti::paper
