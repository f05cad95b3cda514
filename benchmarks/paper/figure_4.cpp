// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <string>
#include <vector>

#include "../chart/chart.hpp"
#include "comparison.hpp"
#include "exhibit.hpp"

namespace tutti::paper {

namespace {

constexpr std::size_t ranks = 64;

/// Binomial, pipeline, binary tree, uni-greedy.
std::array<double, 4> times_of(comparison const& each) {
    return {each.binomial_time, each.pipeline_time, each.binary_time, each.greedy.time};
}

}  // namespace

std::vector<exhibit> figure_4() {
    std::vector<comparison> all;
    for (std::size_t m = 4; m <= 65536; m *= 2) { all.emplace_back(ranks, m); }

    exhibit result{.title = "LL figure 4: uni-greedy beside the standard algorithms, one port",
                   .text =
                       "p = 64, α = 10, β = 1, γ = 0. Uni-greedy in the best of all equal segment sizes, the others at "
                       "T_opt of table I."};
    charts::chart ratios{.title = "Time / time of uni-greedy: p = 64",
                         .x_label = "message size m",
                         .y_label = "ratio",
                         .log_x = true,
                         .log_y = true};
    charts::chart times{
        .title = "Time: p = 64", .x_label = "message size m", .y_label = "time", .log_x = true, .log_y = true};
    constexpr std::array names{"binomial", "pipeline", "binary tree", "uni-greedy"};
    for (std::size_t i = 0; i < names.size(); ++i) {
        charts::series ratio{.name = names[i]};
        auto time = ratio;
        for (auto const& each : all) {
            auto const m = static_cast<double>(each.elements);
            ratio.points.push_back({m, times_of(each)[i] / each.greedy.time});
            time.points.push_back({m, times_of(each)[i]});
        }
        ratios.series.push_back(ratio);
        times.series.push_back(time);
    }
    result.pictures = {{"figure4a.svg", charts::svg(ratios), "(a) Message size and ratio."},
                       {"figure4b.svg", charts::svg(times), "(b) Message size and time."}};
    sheet rows{"figure4.csv", {"p", "m", "uni_greedy", "s", "q", "binomial", "pipeline", "binary_tree", "ratio"}};
    for (auto const& each : all) {
        rows.add(each.size, each.elements, each.greedy.time, each.greedy.segment, each.greedy.segments,
                 each.binomial_time, fixed(each.pipeline_time, 3), fixed(each.binary_time, 3), fixed(each.ratio(), 4));
    }
    result.sheets = {rows};

    auto const next = std::find_if(all.begin(), all.end(),
                                   [](auto const& each) { return !equal(each.greedy.time, each.binomial_time); });
    auto const most =
        std::max_element(all.begin(), all.end(), [](auto const& a, auto const& b) { return a.ratio() < b.ratio(); });
    auto const pipeline_ratio = [](comparison const& each) { return each.pipeline_time / each.greedy.time; };
    tally falls;
    for (std::size_t i = 1; i < all.size(); ++i) {
        if (all[i].elements > 16384) { falls.add(pipeline_ratio(all[i]) < pipeline_ratio(all[i - 1])); }
    }
    result.claims = {
        {"for m < 64 uni-greedy has one segment and takes as long as binomial", "all m < 64",
         "up to m = " + std::to_string(std::prev(next)->elements), next->elements >= 64,
         "at m = " + std::to_string(next->elements) + " two or more segments are " +
             fixed(100 * (next->ratio() - 1), 1) + " % faster (the paper says “segment size 1” for one segment)"},
        {"in the middle uni-greedy is up to about 50 % faster than the best standard algorithm", "up to about 1.5",
         fixed(most->ratio(), 3) + " at m = " + std::to_string(most->elements), most->ratio() < 1.55,
         "it is more than that"},
        {"for m > 16400 pipeline approaches uni-greedy", "1 in the end",
         fixed(pipeline_ratio(all[all.size() - 3]), 3) + " at m = " + std::to_string(all[all.size() - 3].elements) +
             ", " + fixed(pipeline_ratio(all.back()), 3) + " at m = " + std::to_string(all.back().elements),
         falls.yes == falls.cases && pipeline_ratio(all.back()) < 1.06, "it stays away"},
    };
    return {result};
}

}  // namespace tutti::paper
