// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/cost/choice_rule.hpp>
#include <tutti/selection/predicted_cost.hpp>

#include "../support/timing.hpp"

namespace tutti::benchmark::tuning {

/// A candidate for a call, and what it takes.
struct trial {
    choice_rule rule;  ///< by which tutti chooses it, but for the range of sizes
    selection::predicted_cost expected;
    std::vector<double> medians = {};  ///< of each pass, in seconds

    /// The median of medians.
    [[nodiscard]] double measured() const { return timing::median(medians); }

    /// By more than 5 % whenever both were measured, so that it is more than what they vary.
    [[nodiscard]] bool clearly_beats(trial const& other) const {
        for (std::size_t pass = 0; pass != medians.size(); ++pass) {
            if (medians[pass] >= 0.95 * other.medians[pass]) { return false; }
        }
        return true;
    }
};

/// What was measured of one size.
struct finding {
    std::size_t bytes;
    std::vector<trial> trials;

    [[nodiscard]] trial const& expected_best() const {
        return *std::find_if(trials.begin(), trials.end(), [](trial const& each) { return each.expected.chosen; });
    }

    /// The fastest; null if what is expected to be is about as fast.
    [[nodiscard]] trial const* better_choice() const {
        auto const fastest = std::min_element(
            trials.begin(), trials.end(), [](trial const& a, trial const& b) { return a.measured() < b.measured(); });
        return fastest->clearly_beats(expected_best()) ? &*fastest : nullptr;
    }
};

struct range {
    std::size_t from;
    std::size_t to;
};

/// The sizes for which the k-th one speaks: half way to its neighbours, as sizes grow by factors, and as far on the
/// other side where it has but one; a factor of 4 at most.
[[nodiscard]] inline range range_of(std::vector<finding> const& all, std::size_t k) {
    auto const here = all[k].bytes;
    auto const half_way = [&](std::size_t i) {
        auto const a = static_cast<double>(all[i].bytes);
        auto const b = static_cast<double>(all[i + 1].bytes);
        return std::max(static_cast<std::size_t>(std::sqrt(a * b)), all[i].bytes + 1);
    };
    auto const mirrored = [&](std::size_t other_side) {
        auto const square = static_cast<double>(here) * static_cast<double>(here);
        return static_cast<std::size_t>(square / static_cast<double>(other_side));
    };
    if (all.size() == 1) { return {here - here / 2, 2 * here}; }
    auto const from = k == 0 ? std::min(mirrored(half_way(0)), here) : half_way(k - 1);
    auto const to = k + 1 == all.size() ? std::max(mirrored(from), here + 1) : half_way(k);
    return {std::max(from, here / 4), std::min(to, 4 * here)};
}

/// The rules that follow from what was measured of one collective; the sizes grow.
[[nodiscard]] inline std::vector<choice_rule> rules_from(std::vector<finding> const& all) {
    std::vector<choice_rule> result;
    for (std::size_t k = 0; k != all.size(); ++k) {
        auto const* const better = all[k].better_choice();
        if (better == nullptr) { continue; }
        auto rule = better->rule;
        auto const [from, to] = range_of(all, k);
        rule.from = from;
        rule.to = to;
        if (!result.empty() && result.back().to == from) {
            rule.from = result.back().from;
            result.back().to = to;
            if (result.back() == rule) { continue; }
            rule.from = result.back().to = from;
        }
        result.push_back(rule);
    }
    return result;
}

}  // namespace tutti::benchmark::tuning
