// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <stdexcept>

#include <tutti/arrival/monitor.hpp>
#include <tutti/arrival/pattern.hpp>
#include <tutti/collective.hpp>
#include <tutti/selection/algorithm.hpp>
#include <tutti/selection/call_parameters_of.hpp>
#include <tutti/selection/choice_by_arrivals.hpp>
#include <tutti/learning/call_history.hpp>
#include <tutti/selection/planner.hpp>
#include <tutti/text.hpp>

namespace tutti::selection {

/// Lets a monitor's estimates choose the algorithm of an all_reduce. If all ranks are expected at about the same time,
/// it needs all of them; otherwise it reduces the early operands before the late ranks arrive. Without a monitor, the
/// forecast is the arrival times of earlier calls of the same kind.
///
/// The choice has the least mean forecast time for the length of the vector, the expected arrivals and the machine
/// model in use, whose rules count, too. It is the same on all ranks. A wrong estimate costs only time.
/// Requires: a monitor of the same ranks.
/// Order: operands of an operator that is not known to commute stay in order, since `automatic` then chooses, whatever
/// the arrivals. For vectors of up to 64 KiB, arrivals are not used either.
/// Errors: std::invalid_argument for a monitor of another number of ranks.
/// A call ends the monitor's iteration. A plan with a monitor chooses at its creation, one without before each run. A
/// nonblocking call uses earlier blocking calls.
/// Without a monitor, the ranks exchange the times when they began, after a call or while a plan runs: 2 ⌈log2 p⌉
/// messages of 8 (p + 1) bytes; only in each 16th to 256th call if none was late in the last ones. From the third call
/// on, arrivals choose if the forecast gain is 5 % of a call and 0.1 ms, twice, and exceeds the error of the last
/// forecast.
/// Source: [proficz18].
class arrival_aware {
public:
    using decides_when_a_call_begins = collective::all_reduce;

    arrival_aware() = default;
    explicit arrival_aware(arrival_monitor& watched) : monitor_{&watched} {}

    [[nodiscard]] bool has_monitor() const { return monitor_ != nullptr; }

    /// The algorithm for a call that this rank enters now.
    template <bool Commutes, class C>
    [[nodiscard]] auto decide(collective::all_reduce which, planned_call const& call, C& ranks) const {
        if constexpr (Commutes) {
            if (monitor_ == nullptr) {
                auto const now = call_parameters_of(which, call);
                auto const choice = call_history<C>::of(ranks).begin_by_arrivals(call, now);
                return choice ? *choice
                              : generators::arrival_choice{choose_obliviously(now).generator,
                                                           "ranks are not expected at other times than each other"};
            }
        } else if (monitor_ == nullptr) {
            return automatic{};
        }
        auto const& expected = monitor_->pattern();
        if (expected.arrivals.size() != call.size) {
            throw std::invalid_argument{
                text::joined({"tutti: arrival_aware has a monitor of ", text::word(expected.arrivals.size(), "rank"),
                              ", but the communicator has ", call.size, "; make a monitor on it"})};
        }
        if constexpr (Commutes) {
            auto choice = choose_by_arrivals(expected, call_parameters_of(which, call));
            monitor_->predicted(choice.after_last);
            return choice;
        } else {
            return automatic{};
        }
    }

    /// The call has ended on this rank.
    template <class C>
    void ended(C& ranks) const {
        if (monitor_ != nullptr) { return monitor_->finished(); }
        call_history<C>::of(ranks).end();
    }

    friend bool operator==(arrival_aware const&, arrival_aware const&) = default;

private:
    arrival_monitor* monitor_ = nullptr;
};

}  // namespace tutti::selection

namespace tutti {
using selection::arrival_aware;
}  // namespace tutti
