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

/// Lets a monitor's estimates choose the algorithm of an all_reduce: one that takes all ranks to be there if they are
/// expected at about the same time; otherwise one that reduces what the early ranks have before the late ones arrive.
/// Without a monitor, ranks are expected when they arrived at the earlier calls of the same kind.
///
/// The choice is the one that is forecast to take the least mean time, for the size of the vector, the expected
/// arrivals, and the machine model in use, whose rules count, too; all ranks make the same. A wrong estimate costs
/// time, and nothing else.
/// Requires: a monitor of the same ranks.
/// Order: an operator that is not known to commute keeps its order, since `automatic` chooses then, whatever the
/// arrivals. For vectors of up to 64 KiB arrivals are not looked at either.
/// Errors: std::invalid_argument for a monitor of another number of ranks.
/// A call ends the monitor's iteration. A plan with a monitor chooses when it is made, one without before each run; a
/// nonblocking call goes by the blocking ones before.
/// Without a monitor the ranks exchange when they began, after a call or while a plan runs: 2 ⌈log2 p⌉ messages of
/// 8 (p + 1) bytes; in each 16th to 256th call only, if none was late in the last ones. An algorithm that goes by
/// arrivals is taken from the third call on if it is forecast to gain 5 % of a call and 0.1 ms, twice, and the last
/// forecast was not wrong by as much.
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
