// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

#include <tutti/arrival/monitor.hpp>
#include <tutti/problem.hpp>
#include <tutti/selection/algorithm.hpp>
#include <tutti/selection/arrival_choice.hpp>

namespace tutti {

/// Lets a monitor's estimates choose the algorithm of an all_reduce: one that takes all ranks to be there if they are
/// expected at about the same time; otherwise one that reduces what the early ranks have before the late ones come.
///
/// The choice is the one that is forecast to take the least mean time, for the size of the vector, the expected
/// arrivals and the network as the monitor has measured it; all ranks make the same. Models and rules given to `use` do
/// not count. A wrong estimate costs time, and nothing else.
/// Requires: a monitor of the same ranks.
/// Order: an operator that is not known to commute keeps its order, since `automatic` chooses then, whatever the
/// arrivals. For vectors of up to 64 KiB arrivals are not looked at either.
/// Errors: std::invalid_argument for a monitor of another number of ranks.
/// A call ends the monitor's iteration. A plan chooses when it is made.
/// Source: Proficz, Improving all-reduce collective operations for imbalanced process arrival patterns.
class arrival_aware {
public:
    explicit arrival_aware(arrival_monitor& watched) : monitor_{&watched} {}

    /// The algorithm for a call that this rank enters now.
    template <bool Commutes>
    [[nodiscard]] auto decide(collective::all_reduce, std::size_t size, std::size_t bytes) const {
        auto const& expected = monitor_->pattern();
        if (expected.arrivals.size() != size) {
            throw std::invalid_argument{"tutti: arrival_aware has a monitor of " +
                                        std::to_string(expected.arrivals.size()) + " ranks, but the communicator has " +
                                        std::to_string(size)};
        }
        if constexpr (Commutes) {
            auto choice = selection::choose_by_arrivals(expected, bytes);
            monitor_->predicted(choice.after_last);
            return choice;
        } else {
            return automatic{};
        }
    }

    /// The call has ended on this rank.
    void ended() const { monitor_->finished(); }

    friend bool operator==(arrival_aware const&, arrival_aware const&) = default;

private:
    arrival_monitor* monitor_;
};

}  // namespace tutti
