// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include <tutti/dynamic_array.hpp>
#include <tutti/program.hpp>
#include <tutti/schedule.hpp>

namespace tutti::engine {

/// Where the caller's data is on this rank, and which results the caller wants.
struct data_layout {
    std::uint32_t result = location::nowhere;  ///< memory of the `required` blocks of `result`; nowhere: workspace
    std::uint32_t prefix = location::nowhere;  ///< memory of buffer `prefix`
    block_range provided;                   ///< blocks whose operands the caller gives
    block_range required;                   ///< blocks of `result` that the caller reads at the end
    std::size_t input_offset = 0;           ///< first element of the vector that the input memory holds
    std::size_t result_offset = 0;          ///< the same for the memory of `result`
    /// The required blocks are computed in workspace and copied to the beginning of the input once no instruction reads
    /// that any more: the rest of the input stays as it is.
    bool compact_result = false;
    bool fills_prefix = false;                 ///< blocks of the prefix that stay empty become the identity
    bool block_by_block = false;               ///< one part per block, on both sides of a message alike
    std::size_t may_overtake = everything;     ///< elements; longer messages wait for what earlier rounds bring
    std::size_t longest_message = everything;  ///< elements; longer messages are cut, on both sides alike

    static constexpr std::size_t everything = static_cast<std::size_t>(-1);
};

/// Gives blocks of workspace a slot for as long as they are in use, so that a pipeline of any length needs the memory
/// of a few blocks.
///
/// A block that reuses a slot waits for the message that may still leave from it. This makes no cycle of waiting ranks:
/// messages of one round never wait for a later round, and after `send_window` more sends the message has left in any
/// case. Waits are short: a slot is reused only after several later sends have begun.
class block_allocator {
public:
    /// Sends between the last use of a slot and its next use, in a later round.
    static constexpr std::size_t sends_between = 8;

    /// A slot for a block that is first written in `round`, after `sends` sends.
    [[nodiscard]] std::uint32_t allocate(std::size_t round, std::size_t sends) {
        bool const is_free = next_ != released_.size() && released_[next_].is_free(round, sends);
        if (is_free) { return released_[next_++].slot; }
        return count_++;
    }

    /// The last use of the slot was in `round`, with `sends` sends up to it.
    void release(std::uint32_t slot, std::size_t round, std::size_t sends) {
        released_.push_back({slot, round, sends});
    }

    [[nodiscard]] std::size_t count() const { return count_; }

private:
    struct released_slot {
        std::uint32_t slot;
        std::size_t round;
        std::size_t sends;

        [[nodiscard]] bool is_free(std::size_t now, std::size_t sends_now) const {
            return sends + (round < now ? sends_between : schedules::send_window) <= sends_now;
        }
    };

    dynamic_array<released_slot> released_;  // in the order of release
    std::size_t next_ = 0;                   // the first of them that is not in use again
    std::uint32_t count_ = 0;
};

/// The steps that use each block of each buffer for the last time, and whether every step uses one block only.
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

    [[nodiscard]] bool any_of(buffer which) const {
        return which.index() < last_.size() && !last_[which.index()].empty();
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
    dynamic_array<dynamic_array<std::size_t>> last_;
    bool single_blocks_ = true;
};

/// A buffer of a schedule while its blocks get places, some in memory of the caller's, all others in workspace.
struct buffer_layout {
    using relocates_as_bytes = void;

    enum class contents : std::uint8_t { nothing, input, result };

    std::uint32_t callers = location::nowhere;  ///< memory of the caller's, where the blocks `in_callers` lie
    block_range in_callers;
    std::size_t callers_offset = 0;       ///< first element of the vector that the caller's memory holds
    std::uint32_t work = location::nowhere;  ///< memory of all other blocks, once there are any
    dynamic_array<contents> content;
    block_allocator slots{};
    dynamic_array<std::uint32_t> slot_of{};  ///< of each block in workspace, where blocks have slots

    explicit buffer_layout(std::size_t blocks) : content(blocks, contents::nothing) {}

    void lie_in(std::uint32_t memory, block_range blocks, std::size_t begins) {
        callers = memory;
        in_callers = blocks;
        callers_offset = begins;
    }

    /// Gives `blocks` a content to begin with.
    void fill(block_range blocks, contents with) {
        std::fill(content.begin() + static_cast<std::ptrdiff_t>(blocks.first),
                  content.begin() + static_cast<std::ptrdiff_t>(blocks.last), with);
    }

    [[nodiscard]] bool is_callers(std::size_t block) const {
        return callers != location::nowhere && block >= in_callers.first && block < in_callers.last;
    }
};

}  // namespace tutti::engine
