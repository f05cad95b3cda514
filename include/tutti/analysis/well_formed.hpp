// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <tutti/partition.hpp>
#include <tutti/schedule.hpp>

namespace tutti::symbolic {

/// Why no rank of `size` could carry out `it` on a vector cut into `cut`, whatever the other ranks do; "" if it
/// could.
[[nodiscard]] inline std::string malformed(step const& it, std::size_t rank, std::size_t size, partition const& cut) {
    if (it.blocks.empty()) { return "a step without blocks"; }
    if (it.communicates()) {
        if (it.peer >= size) { return "there are only " + std::to_string(size) + " ranks"; }
        if (it.peer == rank) { return "a rank sends no message to itself"; }
    }
    std::size_t elements = 0;
    for (auto const& range : it.blocks) {
        if (range.first > range.last || range.last > cut.blocks()) {
            return "there are only " + std::to_string(cut.blocks()) + " blocks";
        }
        elements += cut.size(range.first, range.last);
    }
    if (it.blocks.ranges() > 1) {
        std::vector<block_range> sorted(it.blocks.begin(), it.blocks.end());
        std::sort(sorted.begin(), sorted.end(), [](auto const& a, auto const& b) { return a.first < b.first; });
        for (std::size_t i = 1; i < sorted.size(); ++i) {
            if (sorted[i].first < sorted[i - 1].last) {
                return "block " + std::to_string(sorted[i].first) + " occurs twice in one step";
            }
        }
    }
    if (it.communicates() && elements == 0) { return "a message without elements"; }
    if (it.what != action::send && it.target == buffer::input()) { return "the input is never written"; }
    if (!it.communicates() && it.source == it.target) { return "source and target are the same buffer"; }
    return {};
}

/// Whether two lists name the same blocks in the same order, however they are divided into ranges.
[[nodiscard]] inline bool same_blocks(block_list const& a, block_list const& b) {
    if (a == b) { return true; }
    auto const merged = [](block_list const& list) {
        std::vector<block_range> ranges;
        for (auto const& range : list) {
            if (!ranges.empty() && ranges.back().last == range.first) {
                ranges.back().last = range.last;
            } else {
                ranges.push_back(range);
            }
        }
        return ranges;
    };
    return merged(a) == merged(b);
}

}  // namespace tutti::symbolic
