// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include <range/v3/view/transform.hpp>

#include <tutti/generator.hpp>
#include <tutti/generator/group.hpp>

namespace tutti {

/// `Generator` inside each of `Groups`.
template <grouping Groups, class Generator>
struct grouped {
    Groups groups;
    Generator generator;
    friend bool operator==(grouped const&, grouped const&) = default;
};

/// The same algorithm inside every group at once: each node of a machine, each row or column of a mesh.
///
/// By itself it gives every group what the collective promises to all ranks; `then` makes an all_reduce of
/// several. The root of a group is the root if that is one of its ranks, otherwise its first rank.
/// Requires: a commutative operator if `generator` does, or if groups interleave (columns).
/// Result: rounds of the slowest group, on every rank; ranks that take no part have no steps.
/// Errors: std::invalid_argument, when schedules are generated, if the groups are impossible or one has a size
/// that `generator` does not support.
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
[[nodiscard]] std::string name_of(Collective which, grouped<Groups, Generator> const& all) {
    return "on_group(" + all.groups.name() + ", " + name_of(which, all.generator) + ")";
}

template <class Collective, class Groups, class Generator>
[[nodiscard]] std::size_t blocks_for(Collective which, grouped<Groups, Generator> const& all, std::size_t size,
                                     std::size_t bytes) {
    return blocks_for(which, all.generator, size, bytes);
}

template <class Collective, class Groups, generator_for<Collective> Generator>
[[nodiscard]] auto generate(Collective which, grouped<Groups, Generator> const& all, problem const& at) {
    auto const of_group = [&](group const& members) {
        if (!facts_of<Collective, Generator>.supports(members.size)) {
            throw std::invalid_argument{"tutti: " + name_of(which, all.generator) + " does not support a group of " +
                                        std::to_string(members.size) + " ranks; choose other groups"};
        }
        return generate(which, all.generator, problem{members.position, members.size, members.root, at.blocks});
    };
    std::size_t rounds = 0;
    for (auto const rank : all.groups.of_every_kind(at)) {
        rounds = std::max(rounds, std::size_t{of_group(all.groups.group_of(rank, at)).rounds()});
    }
    auto const members = all.groups.group_of(at.rank, at);
    return schedule{rounds, ranges::views::transform(of_group(members), [members](step each) {
                        if (each.communicates()) { each.peer = members.rank_at(each.peer); }
                        return each;
                    })};
}

}  // namespace tutti
