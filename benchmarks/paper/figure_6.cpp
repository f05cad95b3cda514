// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include <tutti/analysis/simulate.hpp>
#include <tutti/analysis/table_formulas.hpp>

#include "../chart/chart.hpp"
#include "exhibit.hpp"

namespace tutti::paper {

namespace {

constexpr std::size_t size = 64;
constexpr double bytes = 4;  ///< of an element: the paper's code reduces int
constexpr cost_model costs = cost_model::linear(50000, 6, 1, ports::bidirectional);

enum which : std::size_t { binomial_time, pipeline_time, binary_time, bi_greedy_time, butterfly, reference };

/// The sum of the least latency, bandwidth and computation that any reduction needs.
double least_of_each(double elements) {
    auto const p = static_cast<double>(size);
    return std::bit_width(size - 1) * costs.per_message +
           elements * (costs.per_element_sent + (p - 1) / p * costs.per_element_combined);
}

std::array<double, 6> times_of(std::size_t elements) {
    auto const m = static_cast<double>(elements);
    return {table_formula(binomial{}, size, elements, costs)->best_time(),
            table_formula(pipeline{}, size, elements, costs)->best_time(),
            table_formula(binary_tree{}, size, elements, costs)->best_time(),
            table_formula(bi_greedy{}, size, elements, costs)->best_time(),
            butterfly_time(size, m, costs),
            least_of_each(m)};
}

struct sample {
    double kilobytes;
    std::array<double, 6> times;
    [[nodiscard]] double ratio(std::size_t to) const { return times[to] / times[bi_greedy_time]; }
    [[nodiscard]] double best_standard() const {
        return std::min({ratio(binomial_time), ratio(pipeline_time), ratio(binary_time)});
    }
};

std::string interval(double least, double greatest) {
    return fixed(least, 2) == fixed(greatest, 2) ? fixed(least, 2) : fixed(least, 2) + " to " + fixed(greatest, 2);
}

}  // namespace

std::vector<exhibit> figure_6() {
    constexpr std::array names{"binomial", "pipeline", "binary tree", "bi-greedy", "butterfly", "reference"};
    std::vector<sample> samples;
    for (double octaves = 0; octaves <= 32; octaves += 0.25) {
        auto const elements = static_cast<std::size_t>(std::llround(std::exp2(octaves)));
        samples.push_back({static_cast<double>(elements) * bytes / 1000, times_of(elements)});
    }

    exhibit result{
        .title = "LL figure 6: reductions with a port for each direction",
        .text = "p = 64, α = 50000, β = 6, γ = 1: T_opt of table III. The paper does not say how long an element "
                "is; sizes in KB are those of 4-byte integers, which its code reduces and which fit what it "
                "says of them. Reference: ⌈log2 p⌉α + mβ + (p-1)/p mγ."};
    charts::chart ratios{.title = "Time / time of bi-greedy",
                         .x_label = "message size (KB)",
                         .y_label = "ratio",
                         .log_x = true,
                         .log_y = true};
    charts::chart times{
        .title = "Time", .x_label = "message size (KB)", .y_label = "time", .log_x = true, .log_y = true};
    sheet rows{"figure6.csv",
               {"m", "kilobytes", "binomial", "pipeline", "binary_tree", "bi_greedy", "butterfly", "reference"}};
    for (std::size_t i = 0; i < names.size(); ++i) {
        charts::series ratio{.name = names[i], .drawn = charts::mark::line, .dashed = i == reference};
        auto time = ratio;
        for (auto const& each : samples) {
            ratio.points.push_back({each.kilobytes, each.ratio(i)});
            time.points.push_back({each.kilobytes, each.times[i]});
        }
        ratios.series.push_back(ratio);
        times.series.push_back(time);
    }
    for (auto const& each : samples) {
        auto const& t = each.times;
        rows.add(std::llround(each.kilobytes * 1000 / bytes), each.kilobytes, fixed(t[0], 1), fixed(t[1], 1),
                 fixed(t[2], 1), fixed(t[3], 1), fixed(t[4], 1), fixed(t[5], 1));
    }
    result.pictures = {{"figure6a.svg", charts::svg(ratios), "(a) Message size and ratio."},
                       {"figure6b.svg", charts::svg(times), "(b) Message size and time."}};

    double small = 0;
    double middle_least = std::numeric_limits<double>::infinity();
    double middle_most = 0;
    sample nearest{0, {}};
    tally falls;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        auto const& each = samples[i];
        if (each.kilobytes < 10) { small = std::max(small, each.ratio(binomial_time)); }
        if (each.kilobytes > 200 && each.kilobytes < 4000) {
            middle_least = std::min(middle_least, each.best_standard());
            middle_most = std::max(middle_most, each.best_standard());
        }
        if (nearest.kilobytes == 0 || each.ratio(butterfly) < nearest.ratio(butterfly)) { nearest = each; }
        if (each.kilobytes > 1e5) { falls.add(each.ratio(pipeline_time) < samples[i - 1].ratio(pipeline_time)); }
    }
    auto const last = samples.back().ratio(pipeline_time);
    auto const first =
        std::find_if(samples.begin(), samples.end(), [](sample const& each) { return each.kilobytes > 1e5; });
    result.claims = {
        {"for m < 10 KB bi-greedy and binomial take the same time", "1.00", fixed(small, 3) + " at most", small < 1.02,
         "bi-greedy has two segments already"},
        {"for m > 10⁵ KB pipeline approaches bi-greedy", "1 in the end",
         fixed(first->ratio(pipeline_time), 2) + " there, falling to " + fixed(last, 3),
         falls.yes == falls.cases && last < 1.02, "it stays away"},
        {"for 200 < m < 4000 KB bi-greedy is about 50 % faster than the best standard algorithm", "about 1.5",
         interval(middle_least, middle_most), middle_most < 1.65,
         "it takes half the time of the binary tree, which is the best of them there"},
        {"butterfly does well for medium sizes, about 300 KB, and does not get below bi-greedy", "about 300 KB",
         fixed(nearest.ratio(butterfly), 3) + " at " + fixed(nearest.kilobytes, 0) + " KB",
         nearest.kilobytes > 150 && nearest.kilobytes < 600 && nearest.ratio(butterfly) > 1,
         "another size is the best"},
    };
    // what the whole algorithm does, at the three sizes, in the best number of whole segments
    sheet simulated{"figure6_simulated.csv", {"m", "s", "q", "table", "simulated"}};
    tally close;
    for (auto const elements : numbers{2000, 64000, 1000000}) {
        auto const formula = *table_formula(bi_greedy{}, size, elements, costs);
        auto const whole = formula.best_integer_segment();
        auto const cut = partition::by_segment(elements, whole.segment);
        auto const time = simulate(collective::reduce{}, bi_greedy{}, size, 0, cut, costs).makespan();
        simulated.add(elements, whole.segment, whole.segments, fixed(formula.best_time(), 1), time);
        close.add(std::abs(time / formula.best_time() - 1) < 0.02);
    }
    result.claims.push_back(
        close.all("bi-greedy's schedule in whole segments is within 2 % of its T_opt", "rounding costs more"));
    result.sheets = {rows, simulated};
    return {result};
}

}  // namespace tutti::paper
