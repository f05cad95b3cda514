// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>

#include <tutti/ownership.hpp>
#include <tutti/schedule.hpp>

namespace tutti {

/// The blocks of `count` ranks, fewer than all, from `first` on, round the circle; `first` may be beyond the last rank.
[[nodiscard]] inline block_list blocks_of_ranks(std::size_t first, std::size_t count, std::size_t size,
                                               std::size_t blocks) {
    if (blocks == 0) { return {}; }
    auto const begin = ownership::blocks_of(first, size, blocks).first;
    auto const end = ownership::blocks_of(first + count, size, blocks).first;
    return block_list::cyclic(begin % blocks, end - begin, blocks);
}

}  // namespace tutti
