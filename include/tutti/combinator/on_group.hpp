// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include <tutti/combinator/group.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/text.hpp>
#include <tutti/generator.hpp>

namespace tutti::generators {

/// `Generator` inside each of `Groups`.
template <groups::grouping Groups, class Generator>
struct grouped {
    Groups groups;
    Generator generator;
    friend bool operator==(grouped const&, grouped const&) = default;
};

/// The same algorithm inside every group at once: each node of a machine, each row or column of a mesh.
///
/// Alone, it gives every group the result that the collective gives all ranks; `then` makes an all_reduce of several.
/// The root of a group is the root if it is one of its ranks, otherwise its first rank, unless the groups state
/// otherwise. Groups that share the vector work on their own blocks only.
/// Requires: a commutative operator if `generator` does, or if groups interleave (columns).
/// Result: rounds of the slowest group, on every rank; ranks outside of all groups have no steps.
/// Errors: std::invalid_argument, when schedules are generated, if the groups are impossible or `generator` does not
/// support the size of one.
template <class Groups, class Generator>
[[nodiscard]] grouped<Groups, Generator> on_group(Groups groups, Generator generator) {
    return {std::move(groups), std::move(generator)};
}

template <class Collective, class Groups, generator_for<Collective> Generator>
constexpr facts describe(Collective, std::type_identity<grouped<Groups, Generator>>) {
    auto result = facts_of<Collective, Generator>;
    result.name = "on_group";
    result.requires_commutative =
        result.requires_commutative || (collective::combines<Collective> && !Groups::keeps_order);
    result.supports = [](std::size_t) { return true; };
    return result;
}

template <class Collective, class Groups, class Generator>
[[nodiscard, gnu::cold]] std::string name_of(Collective which, grouped<Groups, Generator> const& all) {
    return generators::name_with_parts("on_group", {all.groups.name(), name_of(which, all.generator)});
}

template <class Collective, class Groups, class Generator>
[[nodiscard, gnu::cold]] std::size_t blocks_for(Collective which, grouped<Groups, Generator> const& all,
                                                std::size_t size, std::size_t bytes) {
    return blocks_for(which, all.generator, size, bytes);
}

/// The cut of the blocks in `part` alone.
[[nodiscard, gnu::cold]] inline partition cut_of(partition const& all, block_range part) {
    dynamic_array<std::size_t> sizes;
    sizes.reserve(part.last - part.first);
    for (auto block = part.first; block < part.last; ++block) { sizes.push_back(all.size(block)); }
    return partition::of_sizes(sizes);
}

[[noreturn, gnu::cold]] inline void refuse_group(std::string const& name, std::size_t size) {
    throw std::invalid_argument{
        text::joined({"tutti: ", name, " does not support a group of ", size, " ranks; choose other groups"})};
}

/// The schedule of a rank in its group, for all ranks: `own` holds the group's blocks from `first` on, to which the
/// schedule may refer.
template <class Members>
[[nodiscard, gnu::cold]] lazy_schedule for_all_ranks(std::size_t rounds, lazy_schedule const& in_group,
                                                     Members const& members, std::size_t first,
                                                     std::shared_ptr<partition const> own) {
    return {rounds, schedules::each_changed(in_group, [members, own = std::move(own), first](step each) {
                        if (each.communicates()) { each.peer = members.rank_at(each.peer); }
                        if (own != nullptr) {
                            for (auto const& range : std::exchange(each.blocks, {})) {
                                each.blocks.append({first + range.first, first + range.last});
                            }
                        }
                        return each;
                    }).steps()};
}

/// A generator for some collective, of one type for all, so that schedules in groups are compiled once for each kind of
/// group.
struct generator_in_group {
    void const* generator;
    bool (*supports)(std::size_t size);
    lazy_schedule (*schedule_of)(void const* generator, problem const& at);
    std::string (*name)(void const* generator);

    template <class Members>
    [[nodiscard]] lazy_schedule of(Members const& members, partition const& blocks) const {
        if (!supports(members.size)) { generators::refuse_group(name(generator), members.size); }
        return schedule_of(generator, {members.position, members.size, members.root, blocks});
    }
};

template <class Groups>
[[nodiscard, gnu::cold]] lazy_schedule in_groups(Groups const& groups, generator_in_group const& inside,
                                                 problem const& at) {
    auto const members = groups.group_of(at.rank, at);
    std::size_t rounds = 0;
    if constexpr (groups::sharing_groups<Groups>) {
        for (auto const rank : groups.representatives(at)) {
            auto const blocks = generators::cut_of(at.blocks, groups.part_of(rank, at));
            rounds = std::max(rounds, inside.of(groups.group_of(rank, at), blocks).rounds());
        }
        auto const part = groups.part_of(at.rank, at);
        std::shared_ptr<partition const> const own{new partition{generators::cut_of(at.blocks, part)}};
        return generators::for_all_ranks(rounds, inside.of(members, *own), members, part.first, own);
    } else {
        for (auto const rank : groups.representatives(at)) {
            rounds = std::max(rounds, inside.of(groups.group_of(rank, at), at.blocks).rounds());
        }
        return generators::for_all_ranks(rounds, inside.of(members, at.blocks), members, 0, nullptr);
    }
}

template <class Collective, class Groups, generator_for<Collective> Generator>
[[nodiscard]] lazy_schedule generate(Collective, grouped<Groups, Generator> const& all, problem const& at) {
    generator_in_group const inside{
        &all.generator, facts_of<Collective, Generator>.supports,
        [](void const* any, problem const& in_group) {
            return schedules::lazy(generate(Collective{}, *static_cast<Generator const*>(any), in_group));
        },
        [](void const* any) { return name_of(Collective{}, *static_cast<Generator const*>(any)); }};
    return generators::in_groups(all.groups, inside, at);
}

}  // namespace tutti::generators

namespace tutti {
using generators::on_group;
}  // namespace tutti
