// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <queue>
#include <span>
#include <vector>

#include <tutti/schedule.hpp>

namespace tutti {

/// Gives blocks of workspace a place for as long as they are in use, so that a pipeline of any length needs the
/// memory of a few blocks.
///
/// Reusing a place makes its next block wait for the message that may still leave from it. Such a wait is harmless
/// once `send_window` later sends have begun: until then, a fresh place is taken.
class cells {
public:
    [[nodiscard]] std::uint32_t take(std::size_t sends_so_far) {
        if (!left_.empty() && left_.front().sends + send_window <= sends_so_far) {
            auto const cell = left_.front().cell;
            left_.pop();
            return cell;
        }
        return count_++;
    }

    void leave(std::uint32_t cell, std::size_t sends_so_far) { left_.push({cell, sends_so_far}); }

    [[nodiscard]] std::size_t count() const { return count_; }

private:
    struct left {
        std::uint32_t cell;
        std::size_t sends;
    };

    std::queue<left> left_;
    std::uint32_t count_ = 0;
};

/// When each block of each buffer is used for the last time in a program, and whether every step uses one only.
class last_uses {
public:
    last_uses(std::span<step const> steps, std::size_t blocks) : blocks_{blocks} {
        std::size_t index = 0;
        for (step const& each : steps) {
            note(each.target, each.blocks, index);
            if (!each.communicates()) { note(each.source, each.blocks, index); }
            ++index;
        }
    }

    [[nodiscard]] bool is_last(buffer which, std::size_t block, std::size_t index) const {
        return last_[which.index()][block] == index;
    }

    [[nodiscard]] bool single_blocks() const { return single_blocks_; }

private:
    void note(buffer which, block_list const& list, std::size_t index) {
        if (last_.size() <= which.index()) { last_.resize(which.index() + 1); }
        auto& last = last_[which.index()];
        last.resize(blocks_);
        for (auto const range : list) {
            single_blocks_ = single_blocks_ && range.last - range.first == 1 && list.ranges() == 1;
            for (auto block = range.first; block != range.last; ++block) { last[block] = index; }
        }
    }

    std::size_t blocks_;
    std::vector<std::vector<std::size_t>> last_;
    bool single_blocks_ = true;
};

}  // namespace tutti
