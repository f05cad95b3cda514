// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstdint>
#include <limits>

#include <tutti/arrival/conversation.hpp>
#include <tutti/communicator.hpp>
#include <tutti/communicator/clock.hpp>

namespace tutti::monitoring {

using messaging::now;

/// What has to be added to this rank's clock for the clock of rank 0. Called by all ranks.
///
/// Each rank asks its parent in a binomial tree, which knows its own offset by then, several times, and believes the
/// answer that came back fastest: it is wrong by half its way at most.
template <communicator C>
[[nodiscard]] std::int64_t offset_to_rank_0(C& ranks) {
    constexpr int times = 10;
    conversation<C> talk{ranks};
    auto const self = static_cast<unsigned>(talk.rank());
    auto const size = static_cast<unsigned>(talk.size());
    auto const lowest = self == 0 ? size : self & (~self + 1);
    std::int64_t offset = 0;
    words said(1);
    if (self != 0) {
        auto const parent = static_cast<int>(self & (self - 1));
        auto fastest = std::numeric_limits<std::int64_t>::max();
        for (int i = 0; i < times; ++i) {
            auto const asked = now<C>();
            talk.send(parent, said);
            talk.receive(parent, said);
            auto const way = now<C>() - asked;
            if (way < fastest) {
                fastest = way;
                offset = said[0] - (asked + way / 2);
            }
        }
    }
    for (unsigned distance = 1; distance < lowest && self + distance < size; distance *= 2) {
        auto const child = static_cast<int>(self + distance);
        for (int i = 0; i < times; ++i) {
            talk.receive(child, said);
            said[0] = now<C>() + offset;
            talk.send(child, said);
        }
    }
    return offset;
}

}  // namespace tutti::monitoring
