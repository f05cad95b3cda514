// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstdint>

#include <tutti/arrival/link_costs.hpp>

namespace tutti::monitoring {

/// Costs that follow what collectives really take. In whole numbers, so that equal inputs give equal costs on every
/// rank.
class cost_feedback {
public:
    cost_feedback(link_costs measured, bool fixed) : measured_{measured}, now_{measured}, fixed_{fixed} {}

    [[nodiscard]] link_costs const& costs() const { return now_; }

    /// The rank that did not wait took `elapsed` ns, where `predicted` had been expected; 0: not known.
    ///
    /// One collective moves the costs by a quarter of what it says, which is at most double or half: one that was
    /// disturbed does little harm. They stay within 16 times what was measured.
    void learn(std::int64_t elapsed, std::int64_t predicted) {
        if (fixed_ || elapsed <= 0 || predicted <= 0) { return; }
        auto const message = std::clamp(elapsed, predicted / 2, 2 * predicted);
        factor_ += (factor_ * message / predicted - factor_) / 4;
        factor_ = std::clamp(factor_, one / 16, 16 * one);
        now_ = {.latency = scaled(measured_.latency),
                .gap = scaled(measured_.gap),
                .per_kib = scaled(measured_.per_kib)};
    }

private:
    static constexpr std::int64_t one = 1 << 16;

    [[nodiscard]] std::int64_t scaled(std::int64_t cost) const {
        return std::max<std::int64_t>(1, cost * factor_ / one);
    }

    link_costs measured_;
    link_costs now_;
    bool fixed_;
    std::int64_t factor_ = one;
};

}  // namespace tutti::monitoring
