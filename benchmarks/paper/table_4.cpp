// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.

#include "../support/parallel.hpp"
#include "exhibit.hpp"
#include "printed_table_4.hpp"
#include "segmentations.hpp"

namespace tutti::paper {

namespace {

/// Ten elements cut in all 512 ways, on `size` ranks with costs α, β = 1 and γ.
struct experiment {
    static constexpr std::size_t elements = 10;

    std::size_t size;
    std::size_t alpha;
    std::size_t gamma;
    segmentations found;
    bool pipeline_equal;  ///< whether a cut into equal segments is one of the best for the pipeline

    [[nodiscard]] double ratio() const { return found.best_equal_time() / found.best_time; }
    /// The same if only those equal segments count that are ⌈m/q⌉ long for some q.
    [[nodiscard]] double ratio_of_few() const {
        auto best = found.equal_times.back();
        for (std::size_t count = 1; count <= elements; ++count) {
            best = std::min(best, found.equal_times[(elements - 1) / count]);
        }
        return best / found.best_time;
    }
};

/// 0 to 9, then tens, then hundreds.
std::vector<std::size_t> experiment_alphas() {
    std::vector<std::size_t> result;
    for (std::size_t alpha = 0; alpha <= 1000; alpha += alpha < 10 ? 1 : alpha < 100 ? 10 : 100) {
        result.push_back(alpha);
    }
    return result;
}

std::vector<std::size_t> experiment_sizes() {
    std::vector<std::size_t> result;
    for (std::size_t n = 2; n <= 10; ++n) { result.push_back(std::size_t{1} << n); }
    for (std::size_t n = 1; n <= 8; ++n) { result.push_back(std::size_t{3} << n); }
    std::sort(result.begin(), result.end());
    return result;
}

/// Those for one number of ranks.
std::vector<experiment> experiments_on(std::size_t size) {
    std::vector<experiment> result;
    for (auto const alpha : experiment_alphas()) {
        for (auto const gamma : numbers{0, 1}) {
            auto const costs =
                cost_model::linear(static_cast<double>(alpha), 1, static_cast<double>(gamma), ports::unidirectional);
            result.push_back(
                {size, alpha, gamma, search_segmentations(size, experiment::elements, costs),
                 !search_segmentations<pipeline_times>(size, experiment::elements, costs).unequal_is_better()});
        }
    }
    return result;
}

/// The experiments of section VIII in the order of p, α, γ.
std::vector<experiment> all_experiments() {
    auto const sizes = experiment_sizes();
    std::vector<experiment> result;
    for (auto& part : in_parallel(sizes.size(), [&](std::size_t i) { return experiments_on(sizes[i]); })) {
        result.insert(result.end(), part.begin(), part.end());
    }
    return result;
}

/// "3-3-2-2|4-3-3"
std::string spelled(std::vector<std::vector<std::size_t>> const& all) {
    std::vector<std::string> cuts;
    for (auto const& each : all) { cuts.push_back(joined(each, "-")); }
    return joined(cuts, "|");
}

/// The cuts into equal segments that are the best of their kind.
std::vector<std::vector<std::size_t>> best_equal_cuts(experiment const& one) {
    std::vector<std::vector<std::size_t>> result;
    for (std::size_t segment = 1; segment <= experiment::elements; ++segment) {
        if (!equal(one.found.equal_times[segment - 1], one.found.best_equal_time())) { continue; }
        auto& cut = result.emplace_back();
        for (auto n = experiment::elements; n != 0; n -= cut.back()) { cut.push_back(std::min(segment, n)); }
    }
    return result;
}

/// Whether at most two segments differ, each by one element; a segment that is missing counts as empty.
bool nearly_the_same(std::vector<std::size_t> a, std::vector<std::size_t> b) {
    auto const segments = std::max(a.size(), b.size());
    a.resize(segments);
    b.resize(segments);
    std::size_t changed = 0;
    for (std::size_t i = 0; i < segments; ++i) {
        if (a[i] == b[i]) { continue; }
        if (std::max(a[i], b[i]) - std::min(a[i], b[i]) > 1) { return false; }
        ++changed;
    }
    return changed <= 2;
}

bool has_neighbour(experiment const& one) {
    auto const cuts = best_equal_cuts(one);
    return std::any_of(one.found.optimal.begin(), one.found.optimal.end(), [&](auto const& optimal) {
        return std::any_of(cuts.begin(), cuts.end(), [&](auto const& each) { return nearly_the_same(optimal, each); });
    });
}

printed_row const* printed(experiment const& one) {
    auto const found = std::find_if(printed_table_4.begin(), printed_table_4.end(), [&](printed_row const& row) {
        return row.size == static_cast<int>(one.size) && row.alpha == static_cast<int>(one.alpha) &&
               row.gamma == static_cast<int>(one.gamma);
    });
    return found == printed_table_4.end() ? nullptr : found;
}

exhibit table_of(std::vector<experiment> const& all) {
    sheet rows{"table4.csv", {"p", "alpha", "gamma", "equal", "best", "segmentations"}};
    sheet hits{"table4_unequal.csv",
               {"p", "alpha", "gamma", "ratio", "printed_ratio", "equal_segmentations", "segmentations"}};
    std::string const few = "the published search had only s = ⌈m/q⌉ (1, 2, 3, 4, 5, 10); another s, with a short last "
                            "segment, is better";
    tally unequal;
    tally same_rows{"they are the rows of the printed table", "other experiments count"};
    tally same_sets{"every row lists exactly the optimal segmentations", "other segmentations are optimal"};
    tally same_ratios{"every row's ratio to four digits, the best of s = ⌈m/q⌉ over the best of all", "other times"};
    tally same_true_ratios{"every row's ratio is that to the best equal segmentation", few};
    tally same_equal{"every row's equal segmentation is the best of its kind", few};
    tally pipeline{"the pipeline is always optimised by an equal segmentation", "an unequal one is better"};
    tally neighbours;
    double most = 0;
    double sum = 0;
    double sum_of_few = 0;
    for (auto const& one : all) {
        auto const best = spelled(one.found.optimal);
        rows.add(one.size, one.alpha, one.gamma, one.found.best_equal_time(), one.found.best_time, best);
        pipeline.add(one.pipeline_equal);
        bool const hit = one.found.unequal_is_better();
        unequal.add(hit);
        auto const* const row = printed(one);
        if (hit || row != nullptr) { same_rows.add(hit && row != nullptr); }
        if (!hit) { continue; }
        most = std::max(most, one.ratio_of_few());
        sum += one.ratio();
        sum_of_few += one.ratio_of_few();
        neighbours.add(has_neighbour(one));
        auto const cuts = spelled(best_equal_cuts(one));
        hits.add(one.size, one.alpha, one.gamma, fixed(one.ratio(), 4), row == nullptr ? "" : fixed(row->ratio, 4),
                 cuts, best);
        if (row == nullptr) { continue; }
        auto const agrees = [&](double ratio) { return std::abs(ratio - row->ratio) <= 0.5001e-4; };
        same_sets.add(row->optimal == best);
        same_ratios.add(agrees(one.ratio_of_few()));
        same_true_ratios.add(agrees(one.ratio()));
        same_equal.add(('|' + cuts + '|').find('|' + std::string{row->equal} + '|') != std::string::npos);
    }
    auto const mean = sum / static_cast<double>(unequal.yes);
    auto const mean_of_few = sum_of_few / static_cast<double>(unequal.yes);
    exhibit result{
        .title = "LL table IV: unequal segments",
        .text = "m = 10 elements cut in all 512 ways; 29 values of α, β = 1, γ = 0 and 1, p = 2^n and 3·2^n: 986 "
                "experiments. An experiment counts if no equal segmentation, whatever its s, is as fast as the "
                "best of all."};
    auto const per_mille = std::round(1000.0 * static_cast<double>(unequal.yes) / static_cast<double>(unequal.cases));
    result.claims = {
        {"experiments optimised by unequal segmentation only", "61 of 986", unequal.found(),
         unequal.found() == "61 of 986", "another set of experiments or of cuts"},
        {"that is 6.2 % of them", "6.2 %", fixed(per_mille / 10, 1) + " %", equal(per_mille, 62)},
        same_rows,
        same_sets,
        same_ratios,
        same_true_ratios,
        same_equal,
        {"the maximum improvement is 7.3 %", "1.073", fixed(most, 4), equal(fixed_value(most, 3), 1.073)},
        {"the average improvement of these, with the printed ratios, is 2.0 %", "1.020", fixed(mean_of_few, 4),
         equal(fixed_value(mean_of_few, 3), 1.020)},
        {"the average improvement over the best equal segmentation is 2.0 %", "1.020", fixed(mean, 4),
         equal(fixed_value(mean, 3), 1.020), few},
        pipeline,
        {"in most cases only one or two segments of the best equal segmentation change, by 1", "most",
         neighbours.found(), 2 * neighbours.yes > neighbours.cases,
         "the optimal segmentations are further away"},
    };
    auto const beyond = experiments_on(1536);
    auto const more =
        std::count_if(beyond.begin(), beyond.end(), [](auto const& one) { return one.found.unequal_is_better(); });
    result.claims.push_back({"p = 3·2^n has n = 1, …, 9: that would be 1044 experiments", "986",
                             std::to_string(all.size() + beyond.size()), all.size() + beyond.size() == 986,
                             "a misprint for n = 1, …, 8; p = 1536 would add " + std::to_string(more) + " rows"});
    result.sheets = {rows, hits};
    return result;
}

exhibit figure_10(std::vector<experiment> const& all) {
    exhibit result{.title = "LL figure 10: equal against unequal segments",
                   .text =
                       "The ratios of table IV, to the best equal segmentation of any s. White: an equal segmentation "
                       "is one of the best."};
    sheet rows{"figure10.csv", {"p", "alpha", "gamma", "ratio"}};
    tally above{"for α > 20 uni-greedy is always optimised by an equal segmentation"};
    std::size_t greatest = 0;
    for (auto const& one : all) {
        rows.add(one.size, one.alpha, one.gamma, fixed(one.ratio(), 6));
        if (one.alpha > 20) { above.add(!one.found.unequal_is_better()); }
        if (one.found.unequal_is_better()) { greatest = std::max(greatest, one.alpha); }
    }
    result.claims = {above};
    result.claims.back().computed += "; the greatest α where it is not is " + std::to_string(greatest);
    result.sheets = {rows};
    return result;
}

}  // namespace

std::vector<exhibit> table_4() {
    auto const all = all_experiments();
    return {table_of(all), figure_10(all)};
}

}  // namespace tutti::paper
