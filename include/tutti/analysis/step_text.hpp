// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <string>

#include <tutti/schedule.hpp>

/// How reports speak of ranks, steps and blocks.
namespace tutti::step_text {

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

/// "rank 3, step 2 (send to rank 0, blocks [0,1))".
[[nodiscard]] inline std::string place(std::size_t rank, std::size_t index, tutti::step const& it) {
    return "rank " + std::to_string(rank) + ", step " + std::to_string(index) + " (" + step(it) + ')';
}

}  // namespace tutti::wording
