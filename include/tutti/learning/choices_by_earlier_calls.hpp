// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

#include <tutti/arrival/earlier_arrivals.hpp>
#include <tutti/arrival/pattern.hpp>
#include <tutti/cost/call_parameters.hpp>
#include <tutti/selection/choice_by_arrivals.hpp>

namespace tutti::selection {

/// Chooses the algorithm of each of a series of equal all_reduces by when the ranks arrived at the earlier ones; all
/// ranks make the same choice, since all know the same times.
class choices_by_earlier_calls {
public:
    using times = monitoring::earlier_arrivals::times;

    /// How long a call is forecast to take.
    struct forecast_time {
        std::int64_t to_end = 0;  ///< ns from the last arrival until all ranks have ended
        std::int64_t gain = 0;    ///< ns, beside an algorithm that ignores arrivals; 0 for such an algorithm
    };

    /// The algorithm for the next call; nothing if that ignores arrivals. Computing a forecast takes as long as a short
    /// call, so none is made without new times, or if no rank is expected late enough.
    [[nodiscard]] std::optional<generators::arrival_choice> next(call_parameters const& now) {
        if (!earlier_.has_new_samples()) { return std::nullopt; }
        auto const without = std::llround(choose_obliviously(now).seconds * time_scale_.value() * 1e9);
        forecast_ = {without, 0};
        auto expected = earlier_.expected();
        if (expected.arrivals.empty()) { return std::nullopt; }
        auto const latest = *std::max_element(expected.arrivals.begin(), expected.arrivals.end());
        if (!monitoring::earlier_arrivals::is_worthwhile(latest, without)) {
            static_cast<void>(earlier_.judge(0, without));
            return std::nullopt;
        }
        expected.time_scale = time_scale_;
        auto choice = choose_by_arrivals(expected, now);
        if (!earlier_.judge(choice.gain, choice.without)) { return std::nullopt; }
        forecast_ = {choice.to_end, choice.gain};
        return choice;
    }
    [[nodiscard]] forecast_time forecast() const { return forecast_; }

    /// Whether the ranks have to exchange their times of arrival at the current call.
    [[nodiscard]] bool must_know() const { return earlier_.must_know(); }

    /// They arrived at these times, on one clock; empty if they have not exchanged them.
    void arrived(times arrivals) { earlier_.ended(std::move(arrivals)); }

    /// A call with that forecast took `elapsed` ns from the last arrival until all ranks had ended.
    void took(std::int64_t elapsed, forecast_time expected) {
        time_scale_.learn(elapsed, expected.to_end);
        if (expected.gain > 0 && elapsed > expected.to_end + expected.gain) { earlier_.mispredicted(); }
    }

private:
    monitoring::earlier_arrivals earlier_;
    monitoring::time_factor time_scale_;
    forecast_time forecast_;
};

}  // namespace tutti::selection
