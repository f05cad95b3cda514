// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.

#include <tutti/analysis/predict.hpp>

#include "../support/parallel.hpp"
#include "exhibit.hpp"
#include "formulas.hpp"

namespace tutti::paper {

namespace {

constexpr auto costs_of_figures_1_to_5 = cost_model::linear(10, 1, 0, ports::unidirectional);

/// Uni-greedy in its best equal segments beside the standard algorithms in theirs: T_opt.
struct comparison {
    std::size_t size;
    std::size_t elements;
    analysis::segment_choice greedy;
    double binomial;
    double pipeline;
    double binary_tree;

    [[nodiscard]] double pipeline_ratio() const { return pipeline / greedy.time; }
    [[nodiscard]] double ratio() const { return std::min({binomial, pipeline, binary_tree}) / greedy.time; }
};

comparison compare(std::size_t p, std::size_t m) {
    constexpr auto costs = costs_of_figures_1_to_5;
    auto const standard = standard_reductions(p, m, costs);
    return {p, m, optimal_segments(uni_greedy{}, p, m, costs), standard[0].time, standard[1].time, standard[2].time};
}

sheet sheet_of(std::string file, std::vector<comparison> const& all) {
    sheet rows{std::move(file), {"p", "m", "uni_greedy", "s", "q", "binomial", "pipeline", "binary_tree", "ratio"}};
    for (auto const& each : all) {
        rows.add(each.size, each.elements, each.greedy.time, each.greedy.segment, each.greedy.segments,
                 each.binomial, fixed(each.pipeline, 3), fixed(each.binary_tree, 3), fixed(each.ratio(), 4));
    }
    return rows;
}

constexpr cost_model costs_of_figure_6 = cost_model::linear(50000, 6, 1, ports::bidirectional);

enum which : std::size_t { binomial_time, pipeline_time, binary_time, bi_greedy_time, butterfly, reference };

/// What reductions take on 64 ranks. The reference is the sum of the least latency, bandwidth and computation that any
/// reduction needs.
struct sample {
    double kilobytes;
    std::array<double, 6> times;

    sample(std::size_t elements, double bytes) : kilobytes{static_cast<double>(elements) * bytes / 1000} {
        constexpr std::size_t size = 64;
        constexpr auto costs = costs_of_figure_6;
        constexpr double p = size;
        auto const m = static_cast<double>(elements);
        auto const standard = standard_reductions(size, elements, costs);
        times = {standard[0].time, standard[1].time, standard[2].time,
                 table_formula(bi_greedy{}, size, elements, costs)->best_time(), butterfly_time(size, m, costs),
                 6 * costs.per_message + m * (costs.per_element_sent + (p - 1) / p * costs.per_element_combined)};
    }
    [[nodiscard]] double ratio(std::size_t to) const { return times[to] / times[bi_greedy_time]; }
    [[nodiscard]] double best_standard() const {
        return std::min({ratio(binomial_time), ratio(pipeline_time), ratio(binary_time)});
    }
};

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
    exhibit result{.title = "LL figure 1: which standard algorithm is the fastest, one port",
                   .text =
                       "T_opt of table I, α = 10, β = 1, γ = 0. Where uni-greedy is faster than all three, and by how "
                       "much, is figure 5."};
    constexpr std::array<std::string_view, 3> standard{"binomial", "binary_tree", "pipeline"};
    auto const fastest = [&](std::size_t size, std::size_t elements) {
        auto const name = fastest_standard_reduction(size, elements, costs_of_figures_1_to_5).algorithm;
        return std::find(standard.begin(), standard.end(), name) - standard.begin();
    };
    sheet rows{"figure1.csv", {"p", "from_m", "to_m", "fastest"}};
    tally in_order{"with growing m binomial is the fastest, then binary, then pipeline: no other order for any p"};
    tally has_binary{"for medium messages binary is the fastest"};
    std::size_t first_binary = 0;
    auto const sizes = steps(4, 1024, 16);
    auto const lengths = steps(1, std::size_t{1} << 20, 48);
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
            rows.add(size, lengths[begin], last ? lengths[j] : lengths[j + 1] - 1,
                     standard[static_cast<std::size_t>(here)]);
            begin = j + 1;
        }
        in_order.add(ordered);
        has_binary.add(binary);
        if (binary && first_binary == 0) { first_binary = size; }
    }
    has_binary.why_not = "only from p = " + std::to_string(first_binary) +
                         " on: with fewer ranks pipeline follows on binomial at once";
    result.claims = {in_order, has_binary};
    result.sheets = {rows};
    return {result};
}

std::vector<exhibit> figure_4() {
    exhibit result{.title = "LL figure 4: uni-greedy beside the standard algorithms, one port",
                   .text =
                       "p = 64, α = 10, β = 1, γ = 0. Uni-greedy in the best of all equal segment sizes, the others at "
                       "T_opt of table I."};
    std::vector<comparison> all;
    for (std::size_t m = 4; m <= 65536; m *= 2) { all.push_back(compare(64, m)); }
    result.sheets = {sheet_of("figure4.csv", all)};

    auto const next = std::find_if(all.begin(), all.end(),
                                   [](auto const& each) { return !equal(each.greedy.time, each.binomial); });
    auto const most =
        std::max_element(all.begin(), all.end(), [](auto const& a, auto const& b) { return a.ratio() < b.ratio(); });
    bool falls = true;
    for (std::size_t i = 1; i < all.size(); ++i) {
        if (all[i].elements > 16384) { falls = falls && all[i].pipeline_ratio() < all[i - 1].pipeline_ratio(); }
    }
    auto const pipeline_at = [&](comparison const& at) {
        return fixed(at.pipeline_ratio(), 3) + " at m = " + std::to_string(at.elements);
    };
    result.claims = {
        {"for m < 64 uni-greedy has one segment and takes as long as binomial", "all m < 64",
         "up to m = " + std::to_string(std::prev(next)->elements), next->elements >= 64,
         "at m = " + std::to_string(next->elements) + " two or more segments are " +
             fixed(100 * (next->ratio() - 1), 1) + " % faster (the paper says “segment size 1” for one segment)"},
        {"in the middle uni-greedy is up to about 50 % faster than the best standard algorithm", "up to about 1.5",
         fixed(most->ratio(), 3) + " at m = " + std::to_string(most->elements), most->ratio() < 1.55,
         "it is more than that"},
        {"for m > 16400 pipeline approaches uni-greedy", "1 in the end",
         pipeline_at(all[all.size() - 3]) + ", " + pipeline_at(all.back()),
         falls && all.back().pipeline_ratio() < 1.06, "it stays away"},
    };
    return {result};
}

std::vector<exhibit> figure_5() {
    exhibit result{.title = "LL figure 5: uni-greedy beside the best standard algorithm, one port",
                   .text =
                       "α = 10, β = 1, γ = 0; the best T_opt of binomial, pipeline and binary tree over the time of "
                       "uni-greedy in the best of all equal segment sizes."};
    constexpr std::size_t lengths = 15;  // p = 4 to 1024 and m = 4 to 65536, doubling; p by p
    auto const all = in_parallel(9 * lengths, [](std::size_t i) {
        return compare(std::size_t{4} << i / lengths, std::size_t{4} << i % lengths);
    });
    tally never_slower{"uni-greedy is never slower than a standard algorithm",
                       "the optimum over integer segments is worse"};
    double greatest = 0;
    std::vector<std::size_t> wide;  // per p: message sizes at which much is gained
    for (auto const& each : all) {
        never_slower.add(each.ratio() > 1 - 1e-12);
        greatest = std::max(greatest, each.ratio());
        if (each.elements == 4) { wide.push_back(0); }
        if (each.ratio() >= 1.4) { ++wide.back(); }
    }
    result.claims = {
        never_slower,
        {"with more ranks uni-greedy gains most on more message sizes: how many of the 15 have a ratio of 1.4 or more, "
         "p = 4 to 1024",
         "more and more", joined(wide), std::is_sorted(wide.begin(), wide.end()), "their number falls somewhere"},
        {"where it gains most the ratio is about 1.5", "about 1.5", fixed(greatest, 3) + " at most", greatest < 1.55,
         "a little more: about 1.6 for p ≥ 64"},
    };
    result.sheets = {sheet_of("figure5.csv", all)};
    return {result};
}

std::vector<exhibit> figure_6() {
    exhibit result{
        .title = "LL figure 6: reductions with a port for each direction",
        .text = "p = 64, α = 50000, β = 6, γ = 1: T_opt of table III. The paper does not say how long an element "
                "is; sizes in KB are those of 4-byte integers, which its code reduces and which fit what it "
                "says of them. Reference: ⌈log2 p⌉α + mβ + (p-1)/p mγ."};
    sheet rows{"figure6.csv",
               {"m", "kilobytes", "binomial", "pipeline", "binary_tree", "bi_greedy", "butterfly", "reference"}};
    std::vector<sample> samples;
    double small = 0, middle_least = std::numeric_limits<double>::infinity(), middle_most = 0;
    std::size_t nearest = 0;  // to the butterfly
    std::size_t first = 0;    // of the long ones
    bool falls = true;
    for (double octaves = 0; octaves <= 32; octaves += 0.25) {
        auto const elements = static_cast<std::size_t>(std::llround(std::exp2(octaves)));
        auto const& each = samples.emplace_back(elements, 4.0);
        auto const i = samples.size() - 1;
        tables::row line{std::to_string(elements), tables::text_of(each.kilobytes)};
        for (auto const time : each.times) { line.push_back(fixed(time, 1)); }
        rows.add_row(line);
        if (each.kilobytes < 10) { small = std::max(small, each.ratio(binomial_time)); }
        if (each.kilobytes > 200 && each.kilobytes < 4000) {
            middle_least = std::min(middle_least, each.best_standard());
            middle_most = std::max(middle_most, each.best_standard());
        }
        if (each.ratio(butterfly) < samples[nearest].ratio(butterfly)) { nearest = i; }
        if (each.kilobytes <= 1e5) { continue; }
        if (first == 0) { first = i; }
        falls = falls && each.ratio(pipeline_time) < samples[i - 1].ratio(pipeline_time);
    }
    auto const last = samples.back().ratio(pipeline_time);
    auto const& near = samples[nearest];
    auto const least = fixed(middle_least, 2), most = fixed(middle_most, 2);
    result.claims = {
        {"for m < 10 KB bi-greedy and binomial take the same time", "1.00", fixed(small, 3) + " at most", small < 1.02,
         "bi-greedy has two segments already"},
        {"for m > 10⁵ KB pipeline approaches bi-greedy", "1 in the end",
         fixed(samples[first].ratio(pipeline_time), 2) + " there, falling to " + fixed(last, 3), falls && last < 1.02,
         "it stays away"},
        {"for 200 < m < 4000 KB bi-greedy is about 50 % faster than the best standard algorithm", "about 1.5",
         least == most ? least : least + " to " + most, middle_most < 1.65,
         "it takes half the time of the binary tree, which is the best of them there"},
        {"butterfly does well for medium sizes, about 300 KB, and does not get below bi-greedy", "about 300 KB",
         fixed(near.ratio(butterfly), 3) + " at " + fixed(near.kilobytes, 0) + " KB",
         near.kilobytes > 150 && near.kilobytes < 600 && near.ratio(butterfly) > 1, "another size is the best"},
    };
    // what the whole algorithm does, at the three sizes, in the best number of whole segments
    sheet simulated{"figure6_simulated.csv", {"m", "s", "q", "table", "simulated"}};
    tally close{"bi-greedy's schedule in whole segments is within 2 % of its T_opt", "rounding costs more"};
    for (auto const elements : numbers{2000, 64000, 1000000}) {
        auto const formula = *table_formula(bi_greedy{}, 64, elements, costs_of_figure_6);
        auto const whole = formula.best_integer_segment();
        auto const time = makespan(bi_greedy{}, 64, partition::by_segment(elements, whole.segment), costs_of_figure_6);
        simulated.add(elements, whole.segment, whole.segments, fixed(formula.best_time(), 1), time);
        close.add(std::abs(time / formula.best_time() - 1) < 0.02);
    }
    result.claims.push_back(close);
    result.sheets = {rows, simulated};
    return {result};
}

std::vector<exhibit> figure_7() {
    exhibit result{
        .title = "LL figure 7: butterfly or bi-greedy",
        .text = "Below the line there is a message size for which the butterfly is faster than bi-greedy (or any "
                "reduction in ⌈log2 p⌉ + q - 1 rounds); above it there is none."};
    sheet rows{"figure7.csv", {"p", "threshold", "numerator", "denominator"}};
    std::vector<std::string> above;
    for (std::size_t size = 4; size <= 1000; ++size) {
        auto const threshold = butterfly_threshold(size);
        rows.add(size, threshold.value(), threshold.numerator, threshold.denominator);
        auto const value = threshold.value();
        if (value >= 5) { above.push_back(std::to_string(size) + " (" + fixed(value, 3) + ")"); }
    }
    tally crosses{"the formulas of table III cross where the line says: 2 % below and above it",
                  "the line is not where they cross"};
    for (auto const size : numbers{4, 5, 8, 16, 64, 100, 500, 1000}) {
        auto const threshold = butterfly_threshold(size).value();
        crosses.add(butterfly_wins(size, threshold * 0.98) && !butterfly_wins(size, threshold * 1.02));
    }
    result.claims = {{"up to 1000 processors β/γ must be less than 5 for the butterfly to be better", "all p",
                      above.empty() ? "4 ≤ p ≤ 1000" : "not for p = " + joined(above), above.empty(),
                      "there ⌈log2 p⌉ is large beside p; for p = 2 and 3 there is no threshold at all"},
                     crosses};
    result.sheets = {rows};
    return {result};
}

}  // namespace tutti::paper
