// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tutti/analysis/predict.hpp>
#include <tutti/analysis/simulate.hpp>

#include "exhibit.hpp"
#include "formulas.hpp"
#include "parallel.hpp"

namespace tutti::paper {

namespace {

/// Uni-greedy in its best equal segments beside the standard algorithms in theirs, at α = 10, β = 1, γ = 0.
struct comparison {
    std::size_t size;
    std::size_t elements;
    analysis::segment_choice greedy;
    double binomial_time;
    double pipeline_time;  ///< T_opt
    double binary_time;    ///< T_opt

    [[nodiscard]] double ratio() const { return std::min({binomial_time, pipeline_time, binary_time}) / greedy.time; }
};

comparison compare(std::size_t p, std::size_t m) {
    constexpr auto costs = cost_model::linear(10, 1, 0, ports::unidirectional);
    return {p,
            m,
            optimal_segments(uni_greedy{}, p, m, costs),
            table_formula(binomial{}, p, m, costs)->best_time(),
            table_formula(pipeline{}, p, m, costs)->best_time(),
            table_formula(binary_tree{}, p, m, costs)->best_time()};
}

sheet sheet_of(std::string file, std::vector<comparison> const& all) {
    sheet rows{std::move(file), {"p", "m", "uni_greedy", "s", "q", "binomial", "pipeline", "binary_tree", "ratio"}};
    for (auto const& each : all) {
        rows.add(each.size, each.elements, each.greedy.time, each.greedy.segment, each.greedy.segments,
                 each.binomial_time, fixed(each.pipeline_time, 3), fixed(each.binary_time, 3), fixed(each.ratio(), 4));
    }
    return rows;
}

constexpr cost_model costs_of_figure_6 = cost_model::linear(50000, 6, 1, ports::bidirectional);

enum which : std::size_t { binomial_time, pipeline_time, binary_time, bi_greedy_time, butterfly, reference };

/// On 64 ranks. The reference is the sum of the least latency, bandwidth and computation that any reduction needs.
std::array<double, 6> times_of(std::size_t elements) {
    constexpr std::size_t size = 64;
    constexpr auto costs = costs_of_figure_6;
    constexpr double p = size;
    auto const m = static_cast<double>(elements);
    return {table_formula(binomial{}, size, elements, costs)->best_time(),
            table_formula(pipeline{}, size, elements, costs)->best_time(),
            table_formula(binary_tree{}, size, elements, costs)->best_time(),
            table_formula(bi_greedy{}, size, elements, costs)->best_time(),
            butterfly_time(size, m, costs),
            6 * costs.per_message + m * (costs.per_element_sent + (p - 1) / p * costs.per_element_combined)};
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

constexpr std::array<std::string_view, 3> standard{"binomial", "binary_tree", "pipeline"};

std::size_t fastest(std::size_t size, std::size_t elements) {
    auto const costs = cost_model::linear(10, 1, 0, ports::unidirectional);
    auto const name = fastest_standard_reduction(size, elements, costs).algorithm;
    return static_cast<std::size_t>(std::find(standard.begin(), standard.end(), name) - standard.begin());
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
            auto const until = last ? lengths[j] : lengths[j + 1] - 1;
            rows.add(size, lengths[begin], until, standard[here]);
            begin = j + 1;
        }
        in_order.add(ordered);
        has_binary.add(binary);
        if (binary && first_binary == 0) { first_binary = size; }
    }
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

std::vector<exhibit> figure_4() {
    std::vector<comparison> all;
    for (std::size_t m = 4; m <= 65536; m *= 2) { all.push_back(compare(64, m)); }

    exhibit result{.title = "LL figure 4: uni-greedy beside the standard algorithms, one port",
                   .text =
                       "p = 64, α = 10, β = 1, γ = 0. Uni-greedy in the best of all equal segment sizes, the others at "
                       "T_opt of table I."};
    result.sheets = {sheet_of("figure4.csv", all)};

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

std::vector<exhibit> figure_5() {
    constexpr std::size_t lengths = 15;  // p = 4 to 1024 and m = 4 to 65536, doubling; p by p
    auto const all = in_parallel(9 * lengths, [](std::size_t i) {
        return compare(std::size_t{4} << i / lengths, std::size_t{4} << i % lengths);
    });
    exhibit result{.title = "LL figure 5: uni-greedy beside the best standard algorithm, one port",
                   .text =
                       "α = 10, β = 1, γ = 0; the best T_opt of binomial, pipeline and binary tree over the time of "
                       "uni-greedy in the best of all equal segment sizes."};
    tally never_slower;
    double greatest = 0;
    std::vector<std::size_t> wide;  // per p: message sizes at which much is gained
    for (auto const& each : all) {
        never_slower.add(each.ratio() > 1 - 1e-12);
        greatest = std::max(greatest, each.ratio());
        if (each.elements == 4) { wide.push_back(0); }
        if (each.ratio() >= 1.4) { ++wide.back(); }
    }
    std::vector<std::string> listed;
    for (auto const each : wide) { listed.push_back(std::to_string(each)); }
    result.claims = {
        never_slower.all("uni-greedy is never slower than a standard algorithm",
                         "the optimum over integer segments is worse"),
        {"with more ranks uni-greedy gains most on more message sizes: how many of the 15 have a ratio of 1.4 or more, "
         "p = 4 to 1024",
         "more and more", joined(listed), std::is_sorted(wide.begin(), wide.end()),
         "their number falls somewhere"},
        {"where it gains most the ratio is about 1.5", "about 1.5", fixed(greatest, 3) + " at most", greatest < 1.55,
         "a little more: about 1.6 for p ≥ 64"},
    };
    result.sheets = {sheet_of("figure5.csv", all)};
    return {result};
}

std::vector<exhibit> figure_6() {
    constexpr double bytes = 4;  // of an element: the paper's code reduces int
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
    sheet rows{"figure6.csv",
               {"m", "kilobytes", "binomial", "pipeline", "binary_tree", "bi_greedy", "butterfly", "reference"}};
    for (auto const& [kilobytes, t] : samples) {
        rows.add(std::llround(kilobytes * 1000 / bytes), kilobytes, fixed(t[0], 1), fixed(t[1], 1), fixed(t[2], 1),
                 fixed(t[3], 1), fixed(t[4], 1), fixed(t[5], 1));
    }
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
        constexpr auto costs = costs_of_figure_6;
        auto const formula = *table_formula(bi_greedy{}, 64, elements, costs);
        auto const whole = formula.best_integer_segment();
        auto const cut = partition::by_segment(elements, whole.segment);
        auto const time = simulate(collective::reduce{}, bi_greedy{}, 64, 0, cut, costs).makespan();
        simulated.add(elements, whole.segment, whole.segments, fixed(formula.best_time(), 1), time);
        close.add(std::abs(time / formula.best_time() - 1) < 0.02);
    }
    result.claims.push_back(
        close.all("bi-greedy's schedule in whole segments is within 2 % of its T_opt", "rounding costs more"));
    result.sheets = {rows, simulated};
    return {result};
}

std::vector<exhibit> figure_7() {
    exhibit result{
        .title = "LL figure 7: butterfly or bi-greedy",
        .text = "Below the line there is a message size for which the butterfly is faster than bi-greedy (or any "
                "reduction in ⌈log2 p⌉ + q - 1 rounds); above it there is none."};
    sheet rows{"figure7.csv", {"p", "threshold", "numerator", "denominator"}};
    std::vector<std::size_t> above;
    for (std::size_t size = 4; size <= 1000; ++size) {
        auto const threshold = butterfly_threshold(size);
        rows.add(size, threshold.value(), threshold.numerator, threshold.denominator);
        if (threshold.value() >= 5) { above.push_back(size); }
    }
    std::vector<std::string> listed;
    for (auto const size : above) {
        listed.push_back(std::to_string(size) + " (" + fixed(butterfly_threshold(size).value(), 3) + ")");
    }
    result.claims.push_back({"up to 1000 processors β/γ must be less than 5 for the butterfly to be better", "all p",
                             above.empty() ? "4 ≤ p ≤ 1000" : "not for p = " + joined(listed), above.empty(),
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
