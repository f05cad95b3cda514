// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cmath>
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
#include <tutti/cost/call_parameters.hpp>
#include <tutti/selection/choice_by_arrivals.hpp>
#include <tutti/selection/planner.hpp>

namespace tutti::selection {

/// What is known of earlier calls on a communicator, and of that which is under way; kept with it.
template <class C>
class earlier_calls {
public:
    /// The algorithm for a call that this rank enters now; nothing where arrivals do not decide.
    [[nodiscard]] std::optional<generators::arrival_choice> begin(planned_call const& call,
                                                                  call_parameters const& now) {
        current_ = nullptr;
        if (!arrivals_matter(now)) { return std::nullopt; }
        current_ = &find_or_make(call);
        begun_ = C::now();
        auto expected = current_->earlier.expected();
        expected.slowness = current_->slowness;
        bool const is_known = !expected.arrivals.empty();
        if (!is_known) { expected.arrivals.assign(now.size, 0); }
        auto choice = choose_by_arrivals(expected, now);
        if (!is_known || !current_->earlier.is_believed(choice.gain, choice.without)) {
            current_->forecast = std::llround(choose_obliviously(now).seconds * expected.slowness.value() * 1e9);
            return std::nullopt;
        }
        current_->forecast = choice.after_last;
        return choice;
    }

    /// That call has ended on this rank. Ranks tell each other when they began it after its data has moved: so none
    /// waits for a late one.
    void end(C& ranks) {
        if (current_ == nullptr) { return; }
        auto& of = *std::exchange(current_, nullptr);
        if (!of.earlier.must_know()) { return of.earlier.ended({}); }
        if (!latest_) { latest_.emplace(ranks); }
        auto const size = static_cast<std::size_t>(ranks.size());
        forecast::times all(size + 1, std::numeric_limits<std::int64_t>::min() / 2);
        all[static_cast<std::size_t>(ranks.rank())] = begun_;
        all[size] = C::now();
        all = (*latest_)(std::move(all));
        auto const end = all.back();
        all.pop_back();
        of.slowness.learn(end - *std::max_element(all.begin(), all.end()), of.forecast);
        of.earlier.ended(std::move(all));
    }

private:
    struct kind {
        call_kind const* of;
        std::size_t elements;
        monitoring::earlier_arrivals earlier{};
        monitoring::time_factor slowness{};
        std::int64_t forecast = 0;  // ns, of the last call
    };

    [[nodiscard]] kind& find_or_make(planned_call const& call) {
        for (auto const& each : all_) {
            if (each->of == call.kind && each->elements == call.elements) { return *each; }
        }
        all_.push_back(std::make_unique<kind>(kind{call.kind, call.elements}));
        return *all_.back();
    }

    std::vector<std::unique_ptr<kind>> all_;
    kind* current_ = nullptr;
    std::int64_t begun_ = 0;
    std::optional<monitoring::latest_of_ranks<C>> latest_;
};

}  // namespace tutti::selection
