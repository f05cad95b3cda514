// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include <tutti/cost/choice_rule.hpp>
#include <tutti/selection/predicted_cost.hpp>

namespace tutti::benchmark::tuning {

/// A way in which tutti may perform a call, and what it takes.
struct trial {
    choice_rule rule;  ///< by which tutti chooses it, but for the range of sizes
    predicted_cost expected;
    std::vector<double> medians = {};  ///< of each pass, in seconds

    /// The median of medians.
    [[nodiscard]] double measured() const {
        auto sorted = medians;
        std::sort(sorted.begin(), sorted.end());
        return sorted[sorted.size() / 2];
    }

    /// By more than 5 % whenever both were measured, so that it is more than what they vary.
    [[nodiscard]] bool clearly_beats(trial const& other) const {
        for (std::size_t pass = 0; pass != medians.size(); ++pass) {
            if (medians[pass] >= 0.95 * other.medians[pass]) { return false; }
        }
        return true;
    }
};

}  // namespace tutti::benchmark::tuning
