// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <span>

#include <tutti/dynamic_array.hpp>
#include <tutti/schedule.hpp>

namespace tutti {

/// The steps by which one rank gets one message from each of `peers` and has ((y_0 ⊕ y_1) ⊕ y_2) ⊕ ... in `into`.
inline void receive_in_order(dynamic_array<step>& steps, std::size_t round, std::span<std::size_t const> peers,
                             buffer into, block_list const& blocks) {
    bool first = true;
    for (auto const peer : peers) {
        steps.push_back(first ? step::receive(round, peer, into, blocks)
                              : step::receive_combine(round, peer, into, blocks, side::right));
        first = false;
    }
}

/// The same with what `into` holds already on the left.
inline void append_in_order(dynamic_array<step>& steps, std::size_t round, std::span<std::size_t const> peers,
                            buffer into, block_list const& blocks) {
    for (auto const peer : peers) { steps.push_back(step::receive_combine(round, peer, into, blocks, side::right)); }
}

}  // namespace tutti
