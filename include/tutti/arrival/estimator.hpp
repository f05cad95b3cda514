// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstdint>
#include <optional>

namespace tutti::monitoring {

/// When one rank is going to have computed what it computes between two collectives, in ns of its own clock.
///
/// begin(t): the last duration later, if one is known. edge(t, x): as much again as 1/x of what has passed; 0 < x <= 1,
/// others are ignored, and the last one counts. finish(t): t, and the duration is known from now on.
/// Source: Proficz, Improving all-reduce collective operations for imbalanced process arrival patterns.
class estimator {
public:
    void begin(std::int64_t now) {
        begun_ = now;
        if (duration_) {
            estimate_ = now + *duration_;
        } else {
            estimate_.reset();
        }
    }

    /// Whether the estimate has changed.
    bool edge(std::int64_t now, double progress) {
        if (!begun_ || !(progress > 0 && progress <= 1)) { return false; }
        auto const passed = static_cast<double>(now - *begun_);
        auto const whole = passed / progress;
        if (!(whole < longest)) { return false; }
        estimate_ = *begun_ + static_cast<std::int64_t>(whole + 0.5);
        return true;
    }

    void finish(std::int64_t now) {
        if (begun_) { duration_ = now - *begun_; }
        begun_.reset();
        estimate_ = now;
    }

    /// Between begin and finish.
    [[nodiscard]] bool is_computing() const { return begun_.has_value(); }
    [[nodiscard]] std::optional<std::int64_t> estimate() const { return estimate_; }
    [[nodiscard]] std::optional<std::int64_t> duration() const { return duration_; }

private:
    static constexpr double longest = 1e18;  // 30 years, which still can be added to a time of today

    std::optional<std::int64_t> begun_;
    std::optional<std::int64_t> duration_;
    std::optional<std::int64_t> estimate_;
};

}  // namespace tutti::monitoring
