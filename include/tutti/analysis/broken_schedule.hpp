// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tutti/partition.hpp>
#include <tutti/schedule.hpp>
#include <tutti/text.hpp>

namespace tutti::analysis {

/// A schedule that cannot be executed, or does not implement its collective.
class broken_schedule : public std::logic_error {
public:
    explicit broken_schedule(std::string reason)
        : std::logic_error{"tutti: " + reason}, reason_{std::move(reason)} {}

    /// What is wrong, without the library's name in front.
    [[nodiscard]] std::string const& reason() const noexcept { return reason_; }

private:
    std::string reason_;
};

}  // namespace tutti::analysis

/// How reports speak of ranks, steps and blocks.
namespace tutti::analysis::step_text {

/// "blocks [0,1)", or "blocks [6,8)[0,2)" for an interval that wraps.
[[nodiscard]] inline std::string blocks(block_list const& list) {
    std::string text = "blocks ";
    for (auto const& range : list) {
        text += '[' + std::to_string(range.first) + ',' + std::to_string(range.last) + ')';
    }
    return text;
}

/// "receive_combine from rank 1, blocks [0,1)", "combine scratch0 into result, blocks [0,4)".
[[nodiscard]] inline std::string step(tutti::step const& it) {
    std::string text{name(it.what)};
    if (it.communicates()) {
        text += it.receives() ? " from rank " : " to rank ";
        text += std::to_string(it.peer);
    } else {
        text += ' ' + it.source.name() + " into " + it.target.name();
    }
    return text + ", " + blocks(it.blocks);
}

/// "rank 3, step 2 in round 1 (send to rank 0, blocks [0,1))".
[[nodiscard]] inline std::string place(std::size_t rank, std::size_t index, tutti::step const& it) {
    return text::joined({"rank ", rank, ", step ", index, " in round ", it.round, " (", step(it), ")"});
}

}  // namespace tutti::analysis::step_text

namespace tutti::analysis::symbolic {

[[nodiscard]] inline std::string there_are_only(std::size_t number, std::string_view what) {
    return text::joined({number == 1 ? "there is only " : "there are only ", text::word(number, what)});
}

/// Why no rank of `size` could carry out `it` on a vector cut into `cut`, whatever the other ranks do; "" if it
/// could.
[[nodiscard]] inline std::string malformed(step const& it, std::size_t rank, std::size_t size, partition const& cut) {
    if (it.blocks.empty()) { return "a step without blocks"; }
    if (it.communicates()) {
        if (it.peer >= size) { return there_are_only(size, "rank"); }
        if (it.peer == rank) { return "a rank sends no message to itself"; }
    }
    std::size_t elements = 0;
    for (auto const& range : it.blocks) {
        if (range.first > range.last || range.last > cut.blocks()) {
            return there_are_only(cut.blocks(), "block");
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

}  // namespace tutti::analysis::symbolic
