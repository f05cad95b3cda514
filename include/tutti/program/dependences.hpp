// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <tutti/dynamic_array.hpp>
#include <tutti/program.hpp>
#include <tutti/program/data_layout.hpp>

namespace tutti::engine {

/// One instruction waits for an earlier one.
struct dependence {
    std::uint32_t earlier;
    std::uint32_t later;
};

/// Lays the followers of all instructions out one after another.
inline void lay_out_followers(program& finished, dynamic_array<dependence> const& all) {
    auto& instructions = finished.instructions;
    for (auto const& each : all) { ++instructions[each.earlier].last_follower; }
    std::uint32_t begin = 0;
    for (auto& each : instructions) {
        each.first_follower = begin;
        begin += std::exchange(each.last_follower, begin);
    }
    finished.followers.resize(all.size());
    for (auto const& each : all) {
        finished.followers[instructions[each.earlier].last_follower++] = each.later;
        ++instructions[each.later].predecessors;
    }
}

/// An instruction for each peer, `none` to begin with. A hash table: of a million peers a rank has messages with a few.
class instruction_of_peer {
public:
    [[nodiscard, gnu::cold]] std::uint32_t& operator[](int peer) {
        if (2 * used_ >= slots_.size()) { grow(); }
        auto& found = slot_of(peer);
        used_ += std::exchange(found.peer, peer) == no_peer;
        return found.instruction;
    }

private:
    static constexpr int no_peer = -1;
    struct slot {
        int peer = no_peer;
        std::uint32_t instruction = instruction::none;
    };

    // Their number is a power of two. Multiplied by an odd number, neighbouring peers are spread among the high bits.
    [[nodiscard]] slot& slot_of(int peer) {
        auto const mixed = static_cast<std::uint32_t>(peer) * 0x9e37'79b1U;  // 2^32 / golden ratio
        auto const mask = slots_.size() - 1;
        auto index = (mixed ^ mixed >> 16U) & mask;
        while (slots_[index].peer != peer && slots_[index].peer != no_peer) { index = (index + 1) & mask; }
        return slots_[index];
    }

    [[gnu::cold]] void grow() {
        auto const before = std::exchange(slots_, dynamic_array<slot>(std::max<std::size_t>(2 * slots_.size(), 16)));
        for (auto const& each : before) {
            if (each.peer != no_peer) { slot_of(each.peer) = each; }
        }
    }

    dynamic_array<slot> slots_;
    std::size_t used_ = 0;
};

/// The last instructions that post in each direction to each peer.
class peer_order {
public:
    /// The instruction that posts before this one, number `index`, in the same direction to the same peer.
    std::uint32_t next(instruction const& what, std::uint32_t index) {
        if (!what.receives() && what.what != action::send) { return instruction::none; }
        return std::exchange((what.receives() ? receives_ : sends_)[what.peer], index);
    }

private:
    instruction_of_peer sends_;
    instruction_of_peer receives_;
};

/// Finds which instructions must wait for which: those that touch the same block of the same memory, unless
/// both only read it.
class dependence_tracker {
public:
    /// Messages of more than `may_overtake` elements wait for what earlier rounds bring: they are not sent before, and
    /// not received into their place.
    explicit dependence_tracker(std::size_t blocks, std::size_t may_overtake = data_layout::everything)
        : blocks_{blocks}, may_overtake_{may_overtake} {}

    /// The instruction being assembled reads, or writes, this block.
    void read(std::uint32_t memory, std::size_t block) { touched_.push_back({&at(memory, block), false}); }
    void write(std::uint32_t memory, std::size_t block) { touched_.push_back({&at(memory, block), true}); }

    /// The instruction being assembled is dropped: it has no elements.
    void forget() { touched_.clear(); }

    /// The instruction being assembled is number `index`, the next one, of a step in `round`.
    [[gnu::cold]] void commit(std::uint32_t index, std::size_t round, instruction const& now) {
        rounds_.push_back(round);
        noted_.push_back(none);
        if (goes_in_step(now) && now.elements > may_overtake_) { keep_in_step(index); }
        if (now.receives()) { receives_.push_back(index); }
        for (auto const& [block, writes] : touched_) {
            wait_for(block->writer, index);
            if (writes) {
                for (auto reader = block->readers; reader != none; reader = readings_[reader].next) {
                    wait_for(readings_[reader].reader, index);
                }
            }
        }
        for (auto const& [block, writes] : touched_) {
            if (writes) {
                block->writer = index;
                block->readers = none;
            } else {
                readings_.push_back({index, block->readers});
                block->readers = static_cast<std::uint32_t>(readings_.size() - 1);
            }
        }
        touched_.clear();
    }

    /// Tells the instructions what they wait for.
    void write_to(program& finished) {
        lay_out_followers(finished, edges_);
        for (auto const& each : edges_) {
            auto& follower = finished.instructions[each.later];
            // ranks that exchange blocks in a round would wait for each other; what left earlier arrives
            follower.waits_for_send |= finished.instructions[each.earlier].what == action::send &&
                                       follower.what == action::receive_combine &&
                                       rounds_[each.earlier] == rounds_[each.later];
        }
    }

private:
    static constexpr std::uint32_t none = instruction::none;

    /// What has accessed a block so far.
    struct history {
        std::uint32_t writer = none;
        std::uint32_t readers = none;  // first of a list of readings since the last write
    };
    struct touch {
        history* block;
        bool writes;
    };
    struct reading {
        std::uint32_t reader;
        std::uint32_t next;
    };

    history& at(std::uint32_t memory, std::size_t block) {
        if (memories_.size() <= memory) { memories_.resize(memory + 1); }
        auto& histories = memories_[memory];
        if (histories.empty()) { histories.resize(blocks_); }
        return histories[block];
    }

    // A message that is combined when it arrives may come early: it waits in memory of its own.
    [[nodiscard]] static bool goes_in_step(instruction const& now) {
        return now.what == action::send || now.what == action::receive;
    }

    // An instruction that must not overtake waits for the last receive of an earlier round. The peer of that receive
    // sends in an earlier round too, so that there is no cycle of waiting ranks. A receive that is posted late holds
    // back a peer that is ahead: long messages go by rendezvous, and would take the rank's link from those that it
    // needs first.
    void keep_in_step(std::uint32_t index) {
        while (past_ != receives_.size() && rounds_[receives_[past_]] < rounds_[index]) { ++past_; }
        if (past_ != 0) { wait_for(receives_[past_ - 1], index); }
    }

    void wait_for(std::uint32_t earlier, std::uint32_t index) {
        if (earlier == none || earlier == index || noted_[earlier] == index) { return; }
        noted_[earlier] = index;
        edges_.push_back({earlier, index});
    }

    std::size_t blocks_;
    std::size_t may_overtake_;
    dynamic_array<dynamic_array<history>> memories_;
    dynamic_array<touch> touched_;
    dynamic_array<reading> readings_;
    dynamic_array<dependence> edges_;
    dynamic_array<std::uint32_t> noted_;     // of each instruction: the last one that is known to wait for it
    dynamic_array<std::size_t> rounds_;      // of each instruction
    dynamic_array<std::uint32_t> receives_;  // in program order
    std::size_t past_ = 0;                   // how many of them are of earlier rounds than the last send
};

}  // namespace tutti::engine
