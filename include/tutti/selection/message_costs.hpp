// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>

#include <tutti/selection/situation.hpp>

namespace tutti {

/// What messages cost in a situation, whose receiver combines them or only keeps them.
class message_costs {
public:
    static message_costs combining(situation const& now) { return {now, now.combine_per_byte}; }
    static message_costs keeping(situation const& now) { return {now, 0}; }
    /// Where all is combined while it is read, and nothing that was combined before is read again: either memory or the
    /// operator takes longer.
    static message_costs combining_in_place(situation const& now) {
        auto const reading = now.reads_in_place() ? now.link.per_byte : 0;
        return {now, std::max(now.combine_per_byte - reading, 0.0)};
    }

    /// α
    [[nodiscard]] double latency(crowded_link const& crowd = {}) const { return link_.transfer(0) * crowd.latency; }
    /// m β
    [[nodiscard]] double length(double bytes, crowded_link const& crowd = {}) const {
        return bytes * link_.per_byte * crowd.per_byte;
    }
    /// m γ
    [[nodiscard]] double combine(double bytes) const { return bytes * combine_per_byte_; }

    /// α + m (β + γ): from when a message is sent until it is combined.
    [[nodiscard]] double through(double bytes, crowded_link const& crowd = {}) const {
        return latency(crowd) + length(bytes, crowd) + combine(bytes);
    }

    /// The same where the rank sends as much meanwhile.
    [[nodiscard]] double exchange(double bytes, crowded_link const& crowd = {}) const {
        return latency(crowd) + both_ways_ * length(bytes, crowd) + combine(bytes);
    }

    /// Of messages that follow one another to one rank: from one to the next.
    [[nodiscard]] double apart(double bytes, crowded_link const& crowd = {}) const {
        return beside(length(bytes, crowd), link_.overhead * crowd.overhead + combine(bytes), crowd);
    }

    /// The same where the rank sends one for each that it receives, and combines. Ranks that receive from several others
    /// do not always find their links free: `crowding` times as long is a message in the network.
    [[nodiscard]] double stage(double bytes, double crowding = 1, crowded_link const& crowd = {}) const {
        return beside(crowding * both_ways_ * length(bytes, crowd), 2 * link_.overhead * crowd.overhead + combine(bytes),
                      crowd);
    }

    /// A round in which every rank sends `messages` messages of so many bytes each, and then gets as many.
    [[nodiscard]] double round(std::size_t messages, double bytes, crowded_link const& crowd = {}) const {
        auto const count = static_cast<double>(messages);
        auto const first_comes = exchange(bytes, crowd) - link_.overhead - combine(bytes);
        return std::max(first_comes, count * link_.overhead * crowd.overhead) + (count - 1) * apart(bytes, crowd) +
               link_.overhead + combine(bytes);
    }

private:
    message_costs(situation const& now, double combine_per_byte)
        : link_{now.link},
          both_ways_{now.exchange_factor},
          combine_per_byte_{combine_per_byte},
          moved_by_processors_{now.share_memory()} {
        link_.overhead += now.handling;
    }

    /// What messages take in the network, and what processors do about them, which in shared memory is all one.
    [[nodiscard]] double beside(double moving, double working, crowded_link const& crowd) const {
        return std::max(link_.gap * crowd.overhead, moved_by_processors_ ? moving + working : std::max(moving, working));
    }

    loggp link_;  // handling is part of the overhead
    double both_ways_;
    double combine_per_byte_;
    bool moved_by_processors_;
};

/// ⌈log2 p⌉
[[nodiscard]] constexpr double log2_of(std::size_t size) {
    return size > 1 ? static_cast<double>(std::bit_width(size - 1)) : 0;
}

}  // namespace tutti
