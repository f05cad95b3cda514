// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <bit>
#include <cstddef>
#include <limits>
#include <span>

#include <tutti/collective.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/partition.hpp>
#include <tutti/schedule.hpp>

namespace tutti::schedules {

/// ⌊log2 x⌋ + 1, or 0 if x = 0. std::bit_width is a std::size_t in some standard libraries and an int in others.
[[nodiscard]] constexpr std::size_t bit_width(std::size_t x) {
    return static_cast<std::size_t>(std::numeric_limits<std::size_t>::digits - std::countl_zero(x));
}

/// The input of a generator: one rank of a collective of `size` ranks, on a vector that is cut into `blocks`. `root` is
/// 0 if the collective has none.
struct problem {
    std::size_t rank;
    std::size_t size;
    std::size_t root;
    partition const& blocks;
};

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
    if (!cut.may_have_empty_blocks()) { return all; }
    return each_changed(all, [cut](step each) {
        if (!holds_elements(cut, each.blocks)) { each.blocks = {}; }
        return each;
    });
}

}  // namespace tutti::schedules

namespace tutti {
using schedules::problem;
}  // namespace tutti

/// Which blocks belong to which rank in reduce_scatter, all_gather, gather and scatter.
namespace tutti::ownership {

/// The blocks of `rank`: [floor(rank * blocks / size), floor((rank + 1) * blocks / size)), so block r for as many
/// blocks as ranks.
[[nodiscard]] constexpr schedules::block_range blocks_of(std::size_t rank, std::size_t size, std::size_t blocks) {
    return {rank * blocks / size, (rank + 1) * blocks / size};
}

/// The blocks of `count` ranks, fewer than all, from `first` on, round the circle; `first` may be beyond the last rank.
[[nodiscard]] inline schedules::block_list blocks_of_ranks(std::size_t first, std::size_t count, std::size_t size,
                                                           std::size_t blocks) {
    if (blocks == 0) { return {}; }
    auto const begin = blocks_of(first, size, blocks).first;
    auto const end = blocks_of(first + count, size, blocks).first;
    return schedules::block_list::cyclic(begin % blocks, end - begin, blocks);
}

/// The rank whose range contains `block`.
[[nodiscard]] constexpr std::size_t owner_of(std::size_t block, std::size_t size, std::size_t blocks) {
    return ((block + 1) * size - 1) / blocks;
}

/// The blocks that `who` holds on a rank, see collective::meaning.
[[nodiscard]] inline schedules::block_range held(collective::holder who, problem const& at) {
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
