// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include <tutti/schedule.hpp>

namespace tutti {

/// The steps by which one rank puts what lower ranks send in front of `prefix`, and in front of `result` where that is
/// needed as well. Whether `prefix` holds anything yet is known without looking at data, so no identity is needed.
///
/// Nothing is copied: a message that goes to two places comes into the first one if that is empty, otherwise into
/// scratch 0, which is never sent.
class running_prefix {
public:
    explicit running_prefix(block_list whole) : whole_{std::move(whole)} {}

    [[nodiscard]] bool holds_anything() const { return holds_anything_; }

    void receive(std::vector<step>& steps, std::size_t round, std::size_t peer, bool result_too) {
        auto const prefix = buffer::prefix();
        auto incoming = prefix;
        if (!holds_anything_) {
            steps.push_back(step::receive(round, peer, prefix, whole_));
        } else if (!result_too) {
            steps.push_back(step::receive_combine(round, peer, prefix, whole_, side::left));
        } else {
            incoming = buffer::scratch(0);
            steps.push_back(step::receive(round, peer, incoming, whole_));
            steps.push_back(step::combine(round, incoming, prefix, whole_, side::left));
        }
        if (result_too) { steps.push_back(step::combine(round, incoming, buffer::result(), whole_, side::left)); }
        holds_anything_ = true;
    }

private:
    block_list whole_;
    bool holds_anything_ = false;
};

}  // namespace tutti
