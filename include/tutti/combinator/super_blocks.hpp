// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include <tutti/dynamic_array.hpp>
#include <tutti/generator.hpp>
#include <tutti/partition.hpp>
#include <tutti/problem.hpp>

namespace tutti::generators {

/// Which of the vector's `blocks` blocks make up the super-block of a member of a group; no block is in two of them.
template <class P>
concept super_block_lists = std::regular<P> && requires(P const& lists, std::size_t member, std::size_t blocks) {
    { lists.super_block(member, blocks) } -> std::same_as<block_list>;
};

/// Super-block y has the blocks of the ranks first + y stride + i step, ..., + length - 1 for i = 0 .. count - 1, out
/// of `size` ranks. The blocks of neighbouring ranks are one range.
struct strided_ranks {
    std::size_t size = 1;
    std::size_t first = 0;
    std::size_t stride = 1;
    std::size_t width = 1;
    std::size_t count = 1;
    std::size_t step = 0;

    [[nodiscard]] block_list super_block(std::size_t member, std::size_t blocks) const {
        block_list result;
        for (std::size_t i = 0; i < count; ++i) {
            auto const rank = first + member * stride + i * step;
            result.append({ownership::blocks_of(rank, size, blocks).first,
                           ownership::blocks_of(rank + width - 1, size, blocks).last});
        }
        return result;
    }
    friend bool operator==(strided_ranks const&, strided_ranks const&) = default;
};

/// `Generator` on super-blocks.
template <super_block_lists Lists, class Generator>
struct on_coarser_blocks {
    Lists lists;
    Generator generator;
    friend bool operator==(on_coarser_blocks const&, on_coarser_blocks const&) = default;
};

/// The same algorithm with one super-block for each rank in the place of a block: inside the lines of a mesh, where
/// members of a line share out the blocks of their part of the mesh. Blocks in no super-block are left alone.
///
/// By itself it is a stage: ranks end with super-blocks, which need not be what the collective owes them.
/// Cost: as `generator`; to generate, one pass over the super-blocks more.
template <class Lists, class Generator>
[[nodiscard]] on_coarser_blocks<Lists, Generator> on_super_blocks(Lists lists, Generator generator) {
    return {std::move(lists), std::move(generator)};
}

template <class Collective, class Lists, generator_for<Collective> Generator>
constexpr facts describe(Collective, std::type_identity<on_coarser_blocks<Lists, Generator>>) {
    auto result = facts_of<Collective, Generator>;
    result.name = "on_super_blocks";
    return result;
}

template <class Collective, class Lists, class Generator>
[[nodiscard]] std::string name_of(Collective which, on_coarser_blocks<Lists, Generator> const& all) {
    return generators::name_with_parts("on_super_blocks", {name_of(which, all.generator)});
}

template <class Collective, class Lists, generator_for<Collective> Generator>
[[nodiscard]] lazy_schedule generate(Collective which, on_coarser_blocks<Lists, Generator> const& all,
                                     problem const& at) {
    auto const blocks = at.blocks.blocks();
    dynamic_array<std::size_t> sizes(at.size, 0);
    for (std::size_t member = 0; member < at.size; ++member) {
        for (auto const& range : all.lists.super_block(member, blocks)) {
            sizes[member] += at.blocks.size(range.first, range.last);
        }
    }
    auto const coarse = std::shared_ptr<partition const>{new partition{partition::of_sizes(sizes)}};
    auto const inner = schedules::lazy(generate(which, all.generator, problem{at.rank, at.size, at.root, *coarse}));
    // the schedule may refer to its partition, which lives as long as this function
    return schedules::each_changed(inner, [coarse, lists = all.lists, blocks](step each) {
        block_list expanded;
        block_range last{};  // grows while ranges continue one another
        for (auto const& super : each.blocks) {
            for (auto member = super.first; member < super.last; ++member) {
                for (auto const& range : lists.super_block(member, blocks)) {
                    if (range.first != last.last) { expanded.append(std::exchange(last, range)); }
                    last.last = range.last;
                }
            }
        }
        expanded.append(last);
        each.blocks = std::move(expanded);
        return each;
    });
}

}  // namespace tutti::generators
