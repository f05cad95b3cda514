// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>


#include "../chart/chart.hpp"
#include "exhibit.hpp"
#include "formulas.hpp"

namespace tutti::paper {

namespace {

constexpr std::array<std::string_view, 3> names{"binomial", "binary_tree", "pipeline"};
constexpr std::array<std::string_view, 3> colours{"#a9c8e8", "#f5c49b", "#a5d8b9"};

std::size_t fastest(std::size_t size, std::size_t elements) {
    auto const costs = cost_model::linear(10, 1, 0, ports::unidirectional);
    auto const name = fastest_standard_reduction(size, elements, costs).algorithm;
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

/// Sizes from `from` to `to`, at least one apart and otherwise `per_octave` to a doubling.
std::vector<std::size_t> steps(std::size_t from, std::size_t to, double per_octave) {
    std::vector<std::size_t> result{from};
    while (result.back() < to) {
        auto const next = std::floor(static_cast<double>(result.back()) * std::exp2(1 / per_octave));
        result.push_back(std::min(to, std::max(result.back() + 1, static_cast<std::size_t>(next))));
    }
    return result;
}

}  // namespace

std::vector<exhibit> figure_1() {
    constexpr std::size_t longest = std::size_t{1} << 20;
    exhibit result{.title = "LL figure 1: which standard algorithm is the fastest, one port",
                   .text =
                       "T_opt of table I, α = 10, β = 1, γ = 0. Where uni-greedy is faster than all three, and by how "
                       "much, is figure 5."};
    charts::chart regions{.title = "Fastest standard algorithm: α = 10, β = 1, γ = 0",
                          .x_label = "ranks p",
                          .y_label = "message size m",
                          .log_x = true,
                          .log_y = true};
    sheet rows{"figure1.csv", {"p", "from_m", "to_m", "fastest"}};
    tally in_order;
    tally has_binary;
    std::size_t first_binary = 0;
    auto const sizes = steps(4, 1024, 16);
    auto const lengths = steps(1, longest, 48);
    for (std::size_t i = 0; i + 1 < sizes.size(); ++i) {
        auto const size = sizes[i];
        std::size_t begin = 0;
        bool ordered = true;
        bool binary = false;
        for (std::size_t j = 0; j < lengths.size(); ++j) {
            auto const here = fastest(size, lengths[j]);
            bool const last = j + 1 == lengths.size();
            auto const next = last ? here : fastest(size, lengths[j + 1]);
            if (!last && next == here) { continue; }
            ordered = ordered && next >= here;
            binary = binary || here == 1;
            auto const until = last ? lengths[j] : lengths[j + 1];
            rows.add(size, lengths[begin], last ? until : until - 1, names[here]);
            regions.cells.push_back({static_cast<double>(size), static_cast<double>(sizes[i + 1]),
                                     static_cast<double>(lengths[begin]), static_cast<double>(until),
                                     std::string{colours[here]},
                                     "p = " + std::to_string(size) + ": " + std::string{names[here]} + ", m from " +
                                         std::to_string(lengths[begin]) + " to " + std::to_string(until)});
            begin = j + 1;
        }
        in_order.add(ordered);
        has_binary.add(binary);
        if (binary && first_binary == 0) { first_binary = size; }
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
        regions.legend.push_back({std::string{names[i]}, std::string{colours[i]}});
    }
    result.pictures.push_back({"figure1.svg", charts::svg(regions), "Regions in the plane of p and m."});
    result.claims = {
        in_order.all("with growing m binomial is the fastest, then binary, then pipeline: no other order for any p",
                     ""),
        has_binary.all("for medium messages binary is the fastest",
                       "only from p = " + std::to_string(first_binary) +
                           " on: with fewer ranks pipeline follows on binomial at once"),
    };
    result.sheets = {rows};
    return {result};
}

}  // namespace tutti::paper
