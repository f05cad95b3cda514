// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/partition.hpp>
#include <tutti/schedule.hpp>

namespace tutti {

/// Whether `blocks` hold any element: a message without elements is never sent, and never waited for.
[[nodiscard]] inline bool holds_elements(partition const& cut, block_list const& blocks) {
    for (auto const& range : blocks) {
        if (cut.size(range.first, range.last) != 0) { return true; }
    }
    return false;
}

/// `all` without the steps whose blocks hold no element. Both ends of a message name the same blocks, so both
/// leave it out. The number of rounds stays.
[[nodiscard, gnu::cold]] inline lazy_schedule without_empty_blocks(partition const& cut, lazy_schedule const& all) {
    return each_changed(all, [cut](step each) {
        if (!holds_elements(cut, each.blocks)) { each.blocks = {}; }
        return each;
    });
}

}  // namespace tutti
