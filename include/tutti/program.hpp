// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include <tutti/dynamic_array.hpp>
#include <tutti/schedule.hpp>

namespace tutti::engine {

/// Where an operand of an instruction lies. The first memories are the caller's, `incoming` is the message
/// that has just come in; what follows is workspace.
struct location {
    static constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();
    static constexpr std::uint32_t incoming = nowhere - 1;
    static constexpr std::uint32_t input = 0;
    static constexpr std::uint32_t output = 1;
    static constexpr std::uint32_t second_output = 2;
    static constexpr std::uint32_t first_workspace = 3;

    std::uint32_t memory = nowhere;
    std::size_t offset = 0;  ///< elements from the start of the memory; in `incoming`, of the message

    /// Whether `next` lies where this operand ends after `count` elements.
    [[nodiscard]] bool continues(std::size_t count, location next) const {
        return memory == next.memory && (memory == nowhere || offset + count == next.offset);
    }
    friend bool operator==(location const&, location const&) = default;
};

/// `count` elements: target = left ⊕ right, or target = left where right is nowhere. What is sent is `left`.
struct element_range {
    std::size_t count = 0;
    location left;
    location right;
    location target;
};

/// A step with its operands located, and with what must have happened before it.
struct instruction {
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

    action what = action::send;
    bool waits_for_send = false;  ///< a receive_combine that writes what this rank sends before
    bool is_ready_send = false;   ///< the receiver has posted the receive
    int peer = 0;
    std::size_t elements = 0;  ///< of the message, or of the blocks combined
    std::uint32_t first_range = 0;
    std::uint32_t last_range = 0;
    std::uint32_t first_follower = 0;  ///< instructions that wait for this one
    std::uint32_t last_follower = 0;
    std::uint32_t predecessors = 0;  ///< number of instructions that this one waits for
    std::uint32_t same_peer = none;  ///< last earlier instruction that posts in this direction to this peer

    [[nodiscard]] bool receives() const { return what == action::receive || what == action::receive_combine; }
    /// Whether its message has data: one without has no bytes, and its elements say only when it has ended.
    [[nodiscard]] bool has_data() const { return first_range != last_range; }
};

/// What one rank executes: its schedule with blocks turned into places, and dependences made explicit. It
/// knows neither element type nor communicator and can be run any number of times.
struct program {
    dynamic_array<instruction> instructions;
    dynamic_array<element_range> ranges;
    dynamic_array<std::uint32_t> followers;
    dynamic_array<std::size_t> workspaces;  ///< elements of each workspace memory
    std::size_t rounds = 0;
    /// Number of instructions at the beginning, all receives, that are posted before any other begins. They do not hold
    /// the window.
    std::size_t posted_first = 0;
    std::size_t longest_message = std::numeric_limits<std::size_t>::max();  ///< elements; longer ones are cut
    std::size_t unit = 1;  ///< elements that stay together wherever something is cut
    bool prefers_single_copies = false;  ///< long messages take less time if receivers read them where they lie

    /// The same program for a vector of bytes, whose elements were of `bytes` bytes each.
    [[nodiscard]] program in_bytes(std::size_t bytes) && {
        for (auto& each : instructions) { each.elements *= bytes; }
        for (auto& each : ranges) {
            each.count *= bytes;
            for (auto* operand : {&each.left, &each.right, &each.target}) { operand->offset *= bytes; }
        }
        for (auto& each : workspaces) { each *= bytes; }
        auto const most = std::numeric_limits<std::size_t>::max() / bytes;
        longest_message = std::min(longest_message, most) * bytes;
        unit *= bytes;
        return std::move(*this);
    }
};

}  // namespace tutti::engine
