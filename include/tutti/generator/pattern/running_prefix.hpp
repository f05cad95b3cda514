// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <span>
#include <utility>

#include <tutti/dynamic_array.hpp>
#include <tutti/schedule.hpp>

namespace tutti::generators {

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

/// The steps by which one rank puts the messages of lower ranks in front of `prefix`, and in front of `result` where
/// that is needed as well. Whether `prefix` holds anything yet is known without looking at data, so no identity is
/// needed.
///
/// A message that goes to two places comes into the first one if that is empty, otherwise into scratch 0, which is
/// never sent. Several messages of a round are combined there.
class running_prefix {
public:
    explicit running_prefix(block_list whole) : whole_{std::move(whole)} {}

    [[nodiscard]] bool holds_anything() const { return holds_anything_; }

    /// One message from each of `peers`, neighbours from left to right of which the last one is next to what the
    /// prefix holds.
    ///
    /// Where several ranks exchange values, messages are not received into the prefix itself: in a scan in place it
    /// lies in the memory from which the rank sends, and ranks would wait for each other's receives forever.
    void receive(dynamic_array<step>& steps, std::size_t round, std::span<std::size_t const> peers, bool result_too) {
        if (peers.empty()) { return; }
        auto const prefix = buffer::prefix();
        if (holds_anything_ && !result_too && peers.size() == 1) {
            steps.push_back(step::receive_combine(round, peers.front(), prefix, whole_, side::left));
            return;
        }
        bool const beside = holds_anything_ || (result_too && peers.size() > 1);
        auto const incoming = beside ? buffer::scratch(0) : prefix;
        receive_in_order(steps, round, peers, incoming, whole_);
        if (beside) {
            steps.push_back(holds_anything_ ? step::combine(round, incoming, prefix, whole_, side::left)
                                            : step::copy(round, incoming, prefix, whole_));
        }
        if (result_too) { steps.push_back(step::combine(round, incoming, buffer::result(), whole_, side::left)); }
        holds_anything_ = true;
    }

    void receive(dynamic_array<step>& steps, std::size_t round, std::size_t peer, bool result_too) {
        receive(steps, round, std::span{&peer, 1}, result_too);
    }

private:
    block_list whole_;
    bool holds_anything_ = false;
};

}  // namespace tutti::generators
