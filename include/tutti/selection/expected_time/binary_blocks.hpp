// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>

#include <tutti/generator/binary_blocks.hpp>
#include <tutti/problem.hpp>
#include <tutti/selection/call_parameters.hpp>
#include <tutti/selection/expected_time/parts.hpp>
#include <tutti/selection/message_costs.hpp>

namespace tutti {

/// What the groups of binary_blocks take of a vector of so many bytes.
class digit_group_times {
public:
    digit_group_times(double bytes, message_costs const& costs, call_parameters const& now)
        : groups_{now.size}, bytes_{bytes}, costs_{costs}, transfer_only_{costs.without_combines()}, now_{now} {}

    /// Until the largest group has the total: it waits for its own halvings, or for what smaller ones send.
    [[nodiscard, gnu::noinline]] double there() const {
        double ready = 0;
        std::size_t before = 0;
        bool first = true;
        for (std::size_t level = 0; level <= groups_.top(); ++level) {
            if (!groups_.has(level)) { continue; }
            auto const halved = halvings(level, costs_);
            ready = first ? halved : std::max(halved, ready + to_group(before, level, costs_));
            before = level;
            first = false;
        }
        return ready;
    }

    /// Until all groups have the whole.
    [[nodiscard, gnu::noinline]] double back() const {
        double begins = 0, ends = halvings(groups_.top(), transfer_only_);
        for (auto level = groups_.top(); groups_.has_smaller(level);) {
            auto const next = groups_.smaller(level);
            begins += to_group(next, level, transfer_only_);
            ends = std::max(ends, begins + halvings(next, transfer_only_));
            level = next;
        }
        return ends;
    }

    /// Until a root in the largest group has gathered its parts.
    [[nodiscard, gnu::noinline]] double to_root() const {
        double result = 0;
        for (std::size_t level = 0; level != groups_.top(); ++level) {
            result += transfer_only_.one_way(part(level + 1), factors(level));
        }
        return result;
    }

    /// Parts of neighbours overlap.
    [[nodiscard, gnu::noinline]] double to_owners() const {
        return transfer_only_.round(groups_.one() ? 1 : 2, bytes_ / static_cast<double>(now_.size),
                                    now_.mean_contention());
    }

private:
    [[nodiscard]] double part(std::size_t halvings) const {
        return bytes_ / static_cast<double>(std::size_t{1} << halvings);
    }
    [[nodiscard]] contention factors(std::size_t level) const {
        return now_.contention_of_changing_partners(std::size_t{1} << level);
    }
    [[nodiscard]] double halvings(std::size_t levels, message_costs const& costs) const {
        double result = 0;
        for (std::size_t level = 0; level != levels; ++level) {
            result += costs.exchange(part(level + 1), factors(level));
        }
        return result;
    }
    // A rank of the smaller group sends to, or hears from, several of the larger one.
    [[nodiscard]] double to_group(std::size_t smaller, std::size_t larger, message_costs const& costs) const {
        auto const messages = std::size_t{1} << (larger - smaller);
        auto const links = now_.mean_contention();
        return costs.one_way(part(larger), links) +
               static_cast<double>(messages - 1) * transfer_only_.gap(part(larger), links);
    }

    digit_groups groups_;
    double bytes_;
    message_costs costs_;
    message_costs transfer_only_;
    call_parameters const& now_;  // outlives this
};

[[nodiscard]] inline double time_of(collective::all_reduce, binary_blocks const&, message_costs const& costs,
                                    call_parameters const& now) {
    digit_group_times const times{static_cast<double>(now.bytes), costs, now};
    return times.there() + times.back();
}
[[nodiscard]] inline double time_of(collective::reduce, binary_blocks const&, message_costs const& costs,
                                    call_parameters const& now) {
    digit_group_times const times{static_cast<double>(now.bytes), costs, now};
    return times.there() + times.to_root();
}
[[nodiscard]] inline double time_of(collective::reduce_scatter, binary_blocks const&, message_costs const& costs,
                                    call_parameters const& now) {
    digit_group_times const times{static_cast<double>(now.size) * part_of(now), costs, now};
    return times.there() + times.to_owners();
}

}  // namespace tutti
