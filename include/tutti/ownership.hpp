// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <span>

#include <tutti/dynamic_array.hpp>
#include <tutti/partition.hpp>
#include <tutti/problem.hpp>
#include <tutti/schedule.hpp>

/// Which blocks belong to which rank in reduce_scatter, all_gather, gather and scatter.
namespace tutti::ownership {

/// The blocks of `rank`: [floor(rank * blocks / size), floor((rank + 1) * blocks / size)), so block r for as many
/// blocks as ranks.
[[nodiscard]] constexpr block_range blocks_of(std::size_t rank, std::size_t size, std::size_t blocks) {
    return {rank * blocks / size, (rank + 1) * blocks / size};
}

/// The blocks of `count` ranks, fewer than all, from `first` on, round the circle; `first` may be beyond the last rank.
[[nodiscard]] inline block_list blocks_of_ranks(std::size_t first, std::size_t count, std::size_t size,
                                               std::size_t blocks) {
    if (blocks == 0) { return {}; }
    auto const begin = blocks_of(first, size, blocks).first;
    auto const end = blocks_of(first + count, size, blocks).first;
    return block_list::cyclic(begin % blocks, end - begin, blocks);
}

/// The rank whose range contains `block`.
[[nodiscard]] constexpr std::size_t owner_of(std::size_t block, std::size_t size, std::size_t blocks) {
    return ((block + 1) * size - 1) / blocks;
}

/// The blocks that `who` holds on a rank, see collective::meaning.
[[nodiscard]] inline block_range held(collective::holder who, problem const& at) {
    using collective::holder;
    auto const blocks = at.blocks.blocks();
    if (who == holder::owner) { return blocks_of(at.rank, at.size, blocks); }
    bool const all = who == holder::every_rank || (who == holder::root && at.rank == at.root);
    return {0, all ? blocks : 0};
}

/// The partition of a vector of which rank r owns the next `counts[r]` elements, every rank's part cut into as many
/// `pieces` of nearly one size. `blocks_of` gives them back to their owner.
[[nodiscard]] inline partition cut(std::span<std::size_t const> counts, std::size_t pieces) {
    dynamic_array<std::size_t> sizes;
    sizes.reserve(counts.size() * pieces);
    for (auto const count : counts) {
        auto const part = partition::equal(count, pieces);
        for (std::size_t piece = 0; piece != pieces; ++piece) { sizes.push_back(part.size(piece)); }
    }
    return partition::of_sizes(sizes);
}

}  // namespace tutti::ownership
