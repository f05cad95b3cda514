// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <tutti/dynamic_array.hpp>
#include <tutti/execution/block_allocator.hpp>
#include <tutti/execution/program.hpp>
#include <tutti/schedule.hpp>

namespace tutti {

/// A buffer of a schedule while its blocks get places: some in memory of the caller's, all others in workspace.
struct buffer_layout {
    using relocates_as_bytes = void;

    enum class contents : std::uint8_t { nothing, input, result };

    std::uint32_t callers = place::nowhere;  ///< memory of the caller's, for the blocks `in_callers`
    block_range in_callers;
    std::size_t callers_offset = 0;           ///< first element of the vector that the caller's memory holds
    std::uint32_t work = place::nowhere;     ///< memory of all other blocks, once there are any
    dynamic_array<contents> content;
    block_allocator slots{};
    dynamic_array<std::uint32_t> slot{};       ///< of each block in workspace, where blocks have cells

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
        return callers != place::nowhere && block >= in_callers.first && block < in_callers.last;
    }
};

}  // namespace tutti
