// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <bit>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

#include <tutti/generator/named.hpp>

/// Generators small enough to be right at sight, for tests of what reads schedules.
namespace tiny {

using tutti::schedules::block_range;
using tutti::buffer;
using tutti::side;
using tutti::step;

/// Rank k sends every block to k - 1, block after block.
struct chain {};

constexpr tutti::facts describe(tutti::collective::reduce, std::type_identity<chain>) { return {.name = "chain"}; }

inline auto generate(tutti::collective::reduce, chain const&, tutti::problem const& at) {
    auto const blocks = at.blocks.blocks();
    bool const first = at.rank == 0;
    bool const last = at.rank + 1 == at.size;
    auto const per_block = (first ? 0U : 1U) + (last ? 0U : 1U);
    auto const rounds = at.size == 1 || blocks == 0 ? 0 : at.size + blocks - 2;
    auto const count = per_block * blocks;
    return tutti::schedules::indexed_schedule(rounds, count, [=, rank = at.rank, size = at.size](std::size_t i) {
        auto const block = i / per_block;
        bool const receives = !last && i % per_block == 0;
        return receives ? step::receive_combine(block + size - 2 - rank, rank + 1, buffer::result(), block, side::right)
                        : step::send(block + size - 1 - rank, rank - 1, buffer::result(), block);
    });
}

/// In round k rank r sends to r - 2^k if that bit of r is the lowest one set; all blocks in one message.
struct binomial {};

constexpr tutti::facts describe(tutti::collective::reduce, std::type_identity<binomial>) {
    return {.name = "binomial"};
}

inline auto generate(tutti::collective::reduce, binomial const&, tutti::problem const& at) {
    block_range const all{0, at.blocks.blocks()};
    std::vector<step> steps;
    std::size_t round = 0;
    for (std::size_t bit = 1; bit < at.size; bit *= 2, ++round) {
        if (at.rank % (2 * bit) == bit) {
            steps.push_back(step::send(round, at.rank - bit, buffer::result(), all));
        } else if (at.rank % (2 * bit) == 0 && at.rank + bit < at.size) {
            steps.push_back(step::receive_combine(round, at.rank + bit, buffer::result(), all, side::right));
        }
    }
    return tutti::schedules::stored_schedule(round, std::move(steps));
}

/// Recursive doubling on powers of two.
struct exchange {};

constexpr tutti::facts describe(tutti::collective::all_reduce, std::type_identity<exchange>) {
    return {.name = "exchange", .supports = [](std::size_t size) { return std::has_single_bit(size); }};
}

inline auto generate(tutti::collective::all_reduce, exchange const&, tutti::problem const& at) {
    block_range const all{0, at.blocks.blocks()};
    std::vector<step> steps;
    std::size_t round = 0;
    for (std::size_t bit = 1; bit < at.size; bit *= 2, ++round) {
        auto const peer = at.rank ^ bit;
        steps.push_back(step::send(round, peer, buffer::result(), all));
        steps.push_back(step::receive_combine(round, peer, buffer::result(), all,
                                              peer < at.rank ? side::left : side::right));
    }
    return tutti::schedules::stored_schedule(round, std::move(steps));
}

/// What a scripted generator claims.
struct claims {
    bool requires_commutative = false;
    bool identical_on_all_ranks = true;
    bool one_ported = true;
    tutti::ports model = tutti::ports::bidirectional;
};

/// Does what it is told, right or wrong: `ranks[r]` are the steps of rank r.
template <claims Claims = claims{}>
struct scripted {
    std::size_t rounds;
    std::vector<std::vector<step>> ranks;
};

template <class Collective, claims Claims>
constexpr tutti::facts describe(Collective, std::type_identity<scripted<Claims>>) {
    return {.name = "scripted",
            .requires_commutative = Claims.requires_commutative,
            .identical_on_all_ranks = Claims.identical_on_all_ranks,
            .one_ported = Claims.one_ported,
            .model = Claims.model};
}

template <class Collective, claims Claims>
auto generate(Collective, scripted<Claims> const& script, tutti::problem const& at) {
    return tutti::schedules::stored_schedule(script.rounds, script.ranks[at.rank]);
}

}  // namespace tiny
