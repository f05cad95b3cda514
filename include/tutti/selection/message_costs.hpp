// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>

#include <tutti/selection/call_parameters.hpp>

namespace tutti {

/// Costs of the messages of a call with these parameters, which their receivers combine or only store.
class message_costs {
public:
    static message_costs combining(call_parameters const& now) { return {now, now.combine_per_byte}; }
    static message_costs transfer_only(call_parameters const& now) { return {now, 0}; }
    /// Where operands are combined while they are read, and partial results are not read again: the slower one of
    /// memory and operator counts.
    static message_costs combining_in_place(call_parameters const& now) {
        auto const reading = now.reads_in_place() ? now.link.per_byte : 0;
        return {now, std::max(now.combine_per_byte - reading, 0.0)};
    }

    /// The same messages, which are only stored.
    [[nodiscard, gnu::noinline, gnu::cold]] message_costs without_combines() const {
        auto result = *this;
        result.combine_per_byte_ = 0;
        return result;
    }

    /// The same messages, each combined once all of it has arrived.
    [[nodiscard]] message_costs whole() const {
        auto result = *this;
        result.piece_ = std::numeric_limits<double>::infinity();
        return result;
    }

    /// α
    [[nodiscard]] double latency(contention const& factors = {}) const { return link_.transfer(0) * factors.latency; }
    /// m β
    [[nodiscard]] double length(double bytes, contention const& factors = {}) const {
        return bytes * link_.per_byte * factors.per_byte;
    }
    /// m γ
    [[nodiscard]] double combine(double bytes) const { return bytes * combine_per_byte_; }

    /// α + m (β + γ): from when a message is sent until it is combined. Pieces are combined while the next ones arrive.
    [[nodiscard, gnu::noinline, gnu::cold]] double one_way(double bytes, contention const& factors = {}) const {
        return latency(factors) + overlapped(bytes, length(bytes, factors));
    }

    /// The same where the rank sends as much meanwhile: the larger factor counts, of an exchange or of contention.
    [[nodiscard, gnu::noinline, gnu::cold]] double exchange(double bytes, contention const& factors = {}) const {
        return latency(factors) + overlapped(bytes, std::max(both_ways_, factors.per_byte) * length(bytes));
    }

    /// From one message to the next, where several go to one rank one after another.
    [[nodiscard, gnu::noinline, gnu::cold]] double gap(double bytes, contention const& factors = {}) const {
        return overlap(length(bytes, factors), link_.overhead * factors.overhead + combine(bytes), factors);
    }

    /// The same where the rank sends a message to another rank for each that it receives and combines. Messages from
    /// several ranks wait for links and for combines: transfers take `busy` times as long, and so do combines, unless
    /// processors move the messages.
    [[nodiscard, gnu::noinline, gnu::cold]] double stage(double bytes, double busy = 1,
                                                         contention const& factors = {}) const {
        auto const combining = (moved_by_processors_ ? 1 : busy) * combine(bytes);
        return overlap(busy * length(bytes, factors), 2 * link_.overhead * factors.overhead + combining, factors);
    }

    /// A round in which every rank sends `messages` messages of `bytes` bytes each, and then receives as many. They are
    /// combined in a fixed order; where all are cut into pieces, their pieces arrive in turn, and the first message
    /// is not complete much sooner than the last.
    [[nodiscard, gnu::noinline, gnu::cold]] double round(std::size_t messages, double bytes,
                                                         contention const& factors = {}) const {
        auto const count = static_cast<double>(messages);
        auto const kept = without_combines().exchange(bytes, factors);
        auto const first_comes = kept - link_.overhead;
        auto const next = bytes <= piece_ ? gap(bytes, factors) : length(bytes, factors) + combine(bytes);
        return std::max(first_comes, count * link_.overhead * factors.overhead) + (count - 1) * next +
               link_.overhead + (exchange(bytes, factors) - kept);
    }

private:
    [[gnu::noinline, gnu::cold]] message_costs(call_parameters const& now, double combine_per_byte)
        : link_{now.link},
          both_ways_{now.exchange_factor},
          combine_per_byte_{combine_per_byte},
          piece_{now.longest_message},
          moved_by_processors_{now.on_one_node()} {
        link_.overhead += now.handling;
    }

    /// Time of messages that are `moving` in the network and keep processors `working`: both overlap, but add up in
    /// shared memory. A rank that shares its core with others is often not scheduled when a message arrives.
    [[nodiscard, gnu::cold]] double overlap(double moving, double working, contention const& factors) const {
        auto const waits = moved_by_processors_ ? 1 : 1 - 1 / std::max(factors.overhead, 1.0);
        return std::max(link_.gap * factors.overhead, std::max(moving, working) + waits * std::min(moving, working));
    }

    // Transfer and combine of a message whose pieces are combined while the next ones arrive.
    [[nodiscard, gnu::cold]] double overlapped(double bytes, double moving) const {
        auto const working = combine(bytes);
        if (moved_by_processors_ || bytes <= piece_) { return moving + working; }
        return std::max(moving, working) + std::min(moving, working) / std::ceil(bytes / piece_);
    }

    loggp link_;  // handling is part of the overhead
    double both_ways_;
    double combine_per_byte_;
    double piece_;
    bool moved_by_processors_;
};

/// ⌈log2 p⌉
[[nodiscard]] constexpr double log2_of(std::size_t size) {
    return size > 1 ? static_cast<double>(std::bit_width(size - 1)) : 0;
}

}  // namespace tutti
