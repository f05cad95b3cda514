// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <unordered_map>
#include <utility>
#include <vector>

#include <tutti/schedule.hpp>

namespace tutti::analysis::symbolic {

/// A message that has been sent: the step, and its place in the sender's program.
struct sent {
    step what;
    std::size_t index;
    std::size_t number;  // among the sender's sends
};

/// The messages that have been sent and not yet taken, per pair of ranks in the order in which they were sent.
class in_flight {
    struct channel {
        std::vector<sent> messages;
        std::size_t taken = 0;
        [[nodiscard]] bool empty() const { return taken == messages.size(); }
        [[nodiscard]] std::vector<sent>::const_iterator begin() const {
            return messages.begin() + static_cast<std::ptrdiff_t>(taken);
        }
    };

public:
    explicit in_flight(std::size_t size) : size_{size} {}

    void post(std::size_t from, step const& what, std::size_t index, std::size_t number) {
        channels_[from * size_ + what.peer].messages.push_back({what, index, number});
    }

    /// The oldest message from `from` to `to`, or null.
    [[nodiscard]] sent const* oldest(std::size_t from, std::size_t to) const {
        auto const at = channels_.find(from * size_ + to);
        return at == channels_.end() || at->second.empty() ? nullptr : &*at->second.begin();
    }

    void drop_oldest(std::size_t from, std::size_t to) {
        auto& queue = channels_[from * size_ + to];
        if (++queue.taken == queue.messages.size()) {
            queue.messages.clear();
            queue.taken = 0;
        }
    }

    /// A message of `from` of which `condition` holds, or null.
    template <class Condition>
    [[nodiscard]] sent const* find(std::size_t from, Condition condition) const {
        for (std::size_t to = 0; to < size_; ++to) {
            auto const at = channels_.find(from * size_ + to);
            if (at == channels_.end()) { continue; }
            auto const found = std::find_if(at->second.begin(), at->second.messages.end(), condition);
            if (found != at->second.messages.end()) { return &*found; }
        }
        return nullptr;
    }

    /// A message of `from` out of `which` that holds one of `blocks`, or null.
    [[nodiscard]] sent const* pending(std::size_t from, buffer which, block_list const& blocks) const {
        return find(from, [&](sent const& message) {
            return message.what.target == which &&
                   std::any_of(blocks.begin(), blocks.end(), [&](block_range const& a) {
                       return std::any_of(message.what.blocks.begin(), message.what.blocks.end(), [&](auto const& b) {
                           return a.first < b.last && b.first < a.last;
                       });
                   });
        });
    }

    /// Some message that is still there and its sender; null if there is none.
    [[nodiscard]] std::pair<std::size_t, sent const*> left_over() const {
        auto least = size_ * size_;
        for (auto const& [key, queue] : channels_) {
            if (!queue.empty()) { least = std::min(least, key); }
        }
        if (least == size_ * size_) { return {size_, nullptr}; }
        return {least / size_, &*channels_.find(least)->second.begin()};
    }

private:
    std::size_t size_;
    std::unordered_map<std::size_t, channel> channels_;  // by sender * size + receiver
};

}  // namespace tutti::analysis::symbolic
