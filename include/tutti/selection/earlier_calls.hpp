// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <tutti/arrival/earlier_arrivals.hpp>
#include <tutti/arrival/latest_of_ranks.hpp>
#include <tutti/arrival/pattern.hpp>
#include <tutti/arrival/time_factor.hpp>
#include <tutti/cost/call_parameters.hpp>
#include <tutti/selection/choice_by_arrivals.hpp>
#include <tutti/selection/planner.hpp>

namespace tutti::selection {

/// Chooses the algorithms of calls of one kind by when ranks came to the earlier ones; the same on all ranks.
class choices_by_earlier_calls {
public:
    using times = monitoring::earlier_arrivals::times;

    /// How long a call is forecast to take.
    struct forecast_time {
        std::int64_t to_end = 0;  ///< ns from the last arrival until all ranks have ended
        std::int64_t gain = 0;    ///< ns, beside an algorithm that does not go by arrivals; 0 for such an algorithm
    };

    /// The algorithm for the next call; nothing if it does not go by arrivals. A forecast takes as long as a short
    /// call: none is made if nothing is new, or if no rank is expected late enough.
    [[nodiscard]] std::optional<generators::arrival_choice> next(call_parameters const& now) {
        if (!earlier_.has_news()) { return std::nullopt; }
        auto const without = std::llround(choose_obliviously(now).seconds * slowness_.value() * 1e9);
        forecast_ = {without, 0};
        auto expected = earlier_.expected();
        if (expected.arrivals.empty()) { return std::nullopt; }
        auto const latest = *std::max_element(expected.arrivals.begin(), expected.arrivals.end());
        if (!monitoring::earlier_arrivals::pays(latest, without)) {
            static_cast<void>(earlier_.believe(0, without));
            return std::nullopt;
        }
        expected.slowness = slowness_;
        auto choice = choose_by_arrivals(expected, now);
        if (!earlier_.believe(choice.gain, choice.without)) { return std::nullopt; }
        forecast_ = {choice.to_end, choice.gain};
        return choice;
    }
    [[nodiscard]] forecast_time forecast() const { return forecast_; }

    /// Whether the ranks have to tell each other when they came to the call.
    [[nodiscard]] bool must_know() const { return earlier_.must_know(); }

    /// They came at these times, on one clock; empty if they have not told.
    void came(times arrivals) { earlier_.ended(std::move(arrivals)); }

    /// A call of that forecast took `elapsed` ns from the last arrival until all ranks had ended.
    void took(std::int64_t elapsed, forecast_time expected) {
        slowness_.learn(elapsed, expected.to_end);
        if (expected.gain > 0 && elapsed > expected.to_end + expected.gain) { earlier_.lost(); }
    }

private:
    monitoring::earlier_arrivals earlier_;
    monitoring::time_factor slowness_;
    forecast_time forecast_;
};

/// What is known of earlier calls on a communicator, and of that which is under way; kept with it. It is forgotten when
/// settings change, and by `recover`: of a call that has failed ranks may not all know the same.
template <class C>
class earlier_calls {
public:
    /// The algorithm for a call that this rank enters now; nothing where arrivals do not decide.
    [[nodiscard]] std::optional<generators::arrival_choice> begin(C& ranks, planned_call const& call,
                                                                  call_parameters const& now) {
        current_ = nullptr;
        if (auto const newest = ranks.supervisor().generation(); newest != generation_) {
            generation_ = newest;
            all_.clear();
            latest_.reset();
        }
        if (!arrivals_matter(now)) { return std::nullopt; }
        current_ = &find_or_make(ranks, call);
        begun_ = C::now();
        return current_->choices.next(now);
    }

    /// That call has ended on this rank. Ranks tell each other when they began it after its data has moved: so none
    /// waits for a late one.
    void end(C& ranks) {
        if (current_ == nullptr) { return; }
        auto& choices = std::exchange(current_, nullptr)->choices;
        if (!choices.must_know()) { return choices.came({}); }
        if (!latest_) { latest_.emplace(ranks); }
        auto const size = static_cast<std::size_t>(ranks.size());
        forecast::times all(size + 1, std::numeric_limits<std::int64_t>::min() / 2);
        all[static_cast<std::size_t>(ranks.rank())] = begun_;
        all[size] = C::now();
        all = (*latest_)(std::move(all));
        auto const end = all.back();
        all.pop_back();
        choices.took(end - *std::max_element(all.begin(), all.end()), choices.forecast());
        choices.came(std::move(all));
    }

private:
    struct kind {
        call_kind const* of;
        std::size_t elements;
        choices_by_earlier_calls choices{};
    };

    [[nodiscard]] kind& find_or_make(C& ranks, planned_call const& call) {
        for (auto const& each : all_) {
            if (each->of->is_like(*call.kind) && each->elements == call.elements) { return *each; }
        }
        ranks.supervisor().remember_calls(true);
        all_.push_back(std::make_unique<kind>(kind{call.kind, call.elements}));
        return *all_.back();
    }

    std::vector<std::unique_ptr<kind>> all_;
    kind* current_ = nullptr;
    std::size_t generation_ = 0;
    std::int64_t begun_ = 0;
    std::optional<monitoring::latest_of_ranks<C>> latest_;
};

}  // namespace tutti::selection
