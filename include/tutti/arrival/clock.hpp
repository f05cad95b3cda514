// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>

#include <tutti/communicator.hpp>
#include <tutti/communicator/agreement.hpp>
#include <tutti/communicator/control_channel.hpp>

namespace tutti::monitoring {

using messaging::control_channel;
using messaging::finish;
using messaging::raise_failures;
using messaging::payload;

/// What has to be added to this rank's clock for the clock of rank 0. Called by all ranks.
///
/// Each rank asks its parent in a binomial tree, which knows its own offset by then, several times, and uses the answer
/// with the shortest round trip: its error is at most half of that. An offset that is not larger than that is taken for
/// 0, which it is for processes of one machine.
template <communicator C>
[[nodiscard]] std::int64_t offset_to_rank_0(C& ranks) {
    constexpr int times = 10;
    control_channel<C> channel{ranks};
    control::binomial_tree const tree{channel.rank(), channel.size()};
    std::int64_t offset = 0;
    payload message(1);
    if (tree.has_parent()) {
        auto const parent = tree.parent();
        auto fastest = std::numeric_limits<std::int64_t>::max();
        for (int i = 0; i < times; ++i) {
            auto const asked = C::now();
            channel.send(parent, message);
            channel.receive(parent, message);
            auto const round_trip = C::now() - asked;
            if (round_trip < fastest) {
                fastest = round_trip;
                offset = message[0] - (asked + round_trip / 2);
            }
        }
        if (std::abs(offset) <= fastest / 2 + 1) { offset = 0; }
    }
    for (int const child : tree.children()) {
        for (int i = 0; i < times; ++i) {
            channel.receive(child, message);
            message[0] = C::now() + offset;
            channel.send(child, message);
        }
    }
    return offset;
}

/// The clock of rank 0, as this rank's shows it: its offset is a straight line through the last two that were measured.
class common_clock {
public:
    /// Called by all ranks.
    template <communicator C>
    void measure(C& ranks) {
        before_ = last_;
        last_.offset = monitoring::offset_to_rank_0(ranks);
        last_.now = C::now();
    }

    /// At a time of this rank's clock.
    [[nodiscard]] std::int64_t at(std::int64_t own) const {
        auto const passed = static_cast<double>(std::max<std::int64_t>(last_.now - before_.now, 1));
        auto const drift = static_cast<double>(last_.offset - before_.offset) / passed;
        return own + before_.offset + static_cast<std::int64_t>(drift * static_cast<double>(own - before_.now));
    }

private:
    struct reading {
        std::int64_t now = 0;
        std::int64_t offset = 0;
    };
    reading before_;
    reading last_;
};

}  // namespace tutti::monitoring
