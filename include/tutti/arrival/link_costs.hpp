// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace tutti::monitoring {

/// What a message between two ranks costs, in whole nanoseconds, so that all ranks that know the same compute the same.
struct link_costs {
    std::int64_t latency = 1;  ///< α: until a message of no length is there
    std::int64_t gap = 1;      ///< between messages of no length that follow one another to one rank
    std::int64_t per_kib = 0;  ///< β + γ: to send 1024 bytes and combine them

    /// α + (β + γ) `bytes`: from when a message is sent until it is combined. At least 1.
    [[nodiscard]] constexpr std::int64_t transfer(std::size_t bytes) const {
        return std::max<std::int64_t>(1, latency + by_length(bytes));
    }

    /// The part of `transfer` that a message keeps the next one waiting. At least 1.
    [[nodiscard]] constexpr std::int64_t interval(std::size_t bytes) const {
        return std::max<std::int64_t>(1, gap + by_length(bytes));
    }

    friend constexpr bool operator==(link_costs const&, link_costs const&) = default;

private:
    [[nodiscard]] constexpr std::int64_t by_length(std::size_t bytes) const {
        auto const kib = static_cast<std::int64_t>(bytes / 1024);
        auto const rest = static_cast<std::int64_t>(bytes % 1024);
        return kib * per_kib + rest * per_kib / 1024;
    }
};

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
        auto const observed = std::clamp(elapsed, predicted / 2, 2 * predicted);
        factor_ += (factor_ * observed / predicted - factor_) / 4;
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
