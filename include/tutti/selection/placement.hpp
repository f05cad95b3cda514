// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <concepts>

#include <tutti/execution/placement.hpp>
#include <tutti/ownership.hpp>
#include <tutti/partition.hpp>
#include <tutti/problem.hpp>

namespace tutti {

/// One rank in a call.
struct participant {
    problem const& at;
    bool in_place;

    [[nodiscard]] bool is_root() const { return at.rank == at.root; }
    [[nodiscard]] block_range all() const { return {0, at.blocks.blocks()}; }
    [[nodiscard]] block_range own() const { return ownership::blocks_of(at.rank, at.size, at.blocks.blocks()); }
};

namespace collective {

/// Which blocks the caller gives on one rank.
template <class Collective>
[[nodiscard, gnu::cold]] block_range given_by(Collective, participant const& who) {
    if constexpr (std::same_as<Collective, broadcast> || std::same_as<Collective, scatter>) {
        return who.is_root() ? who.all() : block_range{};
    } else if constexpr (std::same_as<Collective, all_gather> || std::same_as<Collective, gather>) {
        return who.own();
    } else {
        return who.all();
    }
}

/// Which blocks of `result` the caller wants on one rank.
template <class Collective>
[[nodiscard, gnu::cold]] block_range wanted_by(Collective, participant const& who) {
    if constexpr (std::same_as<Collective, exclusive_scan>) {
        return {};
    } else if constexpr (std::same_as<Collective, reduce> || std::same_as<Collective, gather>) {
        return who.is_root() ? who.all() : block_range{};
    } else if constexpr (std::same_as<Collective, scatter>) {
        // in place the root's part is where it has to be
        return who.is_root() && who.in_place ? block_range{} : who.own();
    } else if constexpr (std::same_as<Collective, reduce_scatter>) {
        return who.own();
    } else {
        return who.all();
    }
}

/// Where the operands of a collective lie on one rank, and where its results have to be.
template <class Collective>
[[nodiscard, gnu::cold]] placement place_of(Collective which, participant const& who) {
    placement where;
    where.given = given_by(which, who);
    where.wanted = wanted_by(which, who);
    auto const output = who.in_place ? place::input : place::output;
    if constexpr (std::same_as<Collective, exclusive_scan>) {
        where.prefix = output;
    } else if constexpr (std::same_as<Collective, scan_reduce>) {
        where.prefix = output;
        where.result = place::second_output;
    } else if constexpr (std::same_as<Collective, broadcast>) {
        where.result = place::input;
    } else if (where.wanted.first != where.wanted.last) {
        where.result = output;
    }
    if constexpr (ownership::divides<Collective>) {
        // a rank's part is in memory of its own, unless the memory is that of the whole vector
        auto const begins = [&](block_range held) {
            return who.in_place || held == who.all() ? 0 : who.at.blocks.offset(held.first);
        };
        where.input_begins = begins(where.given);
        where.result_begins = begins(where.wanted);
        where.to_front = std::same_as<Collective, reduce_scatter> && who.in_place && where.wanted != who.all();
    }
    return where;
}

}  // namespace collective

}  // namespace tutti
