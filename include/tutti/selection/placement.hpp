// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/collective.hpp>
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
};

namespace collective {

/// Which blocks of `result` the caller wants on one rank.
[[nodiscard, gnu::cold]] inline block_range wanted_by(meaning const& what, participant const& who) {
    // the root's part of a scatter in place is where it has to be
    bool const is_there = what.gives == holder::root && what.is_owed == holder::owner && who.in_place && who.is_root();
    return is_there ? block_range{} : ownership::held(what.is_owed, who.at);
}

/// Where the operands of a collective lie on one rank, and where its results have to be.
[[nodiscard, gnu::cold]] inline placement place_of(meaning const& what, participant const& who) {
    placement where;
    where.given = ownership::held(what.gives, who.at);
    where.wanted = wanted_by(what, who);
    auto const output = who.in_place ? place::input : place::output;
    if (what.prefix) { where.prefix = output; }
    if (what.gives == holder::root && what.is_owed == holder::every_rank) {
        where.result = place::input;
    } else if (where.wanted.first != where.wanted.last) {
        where.result = what.prefix ? place::second_output : output;
    }
    if (what.gives == holder::owner || what.is_owed == holder::owner) {
        // a rank's part is in memory of its own, unless the memory is that of the whole vector
        auto const begins = [&](block_range held) {
            return who.in_place || held == who.all() ? 0 : who.at.blocks.offset(held.first);
        };
        where.input_begins = begins(where.given);
        where.result_begins = begins(where.wanted);
        where.to_front = what.gives == holder::every_rank && who.in_place && where.wanted != who.all();
    }
    return where;
}

}  // namespace collective

}  // namespace tutti
