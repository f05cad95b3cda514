// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <limits>

#include <tutti/communicator.hpp>
#include <tutti/communicator/agreement.hpp>
#include <tutti/communicator/clock.hpp>
#include <tutti/communicator/control_channel.hpp>

namespace tutti::monitoring {

using messaging::control_channel;
using messaging::finish;
using messaging::raise_failures;
using messaging::payload;

/// What has to be added to this rank's clock for the clock of rank 0. Called by all ranks.
///
/// Each rank asks its parent in a binomial tree, which knows its own offset by then, several times, and believes the
/// answer that came back fastest: it is wrong by half its way at most. An offset that is not larger than that is taken
/// for 0, which it is for processes of one machine.
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
            auto const way = C::now() - asked;
            if (way < fastest) {
                fastest = way;
                offset = message[0] - (asked + way / 2);
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

}  // namespace tutti::monitoring
