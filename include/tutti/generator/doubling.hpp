// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <type_traits>
#include <utility>

#include <tutti/dynamic_array.hpp>
#include <tutti/generator/named.hpp>
#include <tutti/generator/pattern/running_prefix.hpp>
#include <tutti/problem.hpp>

namespace tutti::generators {

/// Bits, the most significant first, one for each round in which a run of neighbouring ranks grows.
///
/// Before a round every rank knows the run of the c ranks before it, at first c = 0. In a round with bit 0 it sends
/// that run over distance c, in one with bit 1 it puts its own operand behind it and sends both over distance c + 1.
/// After a round with bit b the run has 2c + b ranks, after all rounds as many as the value of the word.
/// Requires rounds < 64. Cost of each function: O(rounds) at most.
/// Source: [barnoy95], census functions; [traeff-scan].
struct bit_word {
    std::size_t bits = 0;
    std::size_t rounds = 0;

    /// The word without leading zeros that makes runs of exactly `run` ranks.
    [[nodiscard]] static constexpr bit_word exactly(std::size_t run) { return {run, schedules::bit_width(run)}; }

    /// Of the words of `rounds` bits that make runs of `run` ranks or more, the one with the fewest ones, all of them
    /// in front. Requires run < 2^rounds.
    [[nodiscard]] static constexpr bit_word cheapest(std::size_t run, std::size_t rounds) {
        bit_word result{0, rounds};
        for (auto zeros = rounds; result.bits < run; --zeros) { result.bits |= std::size_t{1} << (zeros - 1); }
        return result;
    }

    [[nodiscard]] constexpr bool operator[](std::size_t round) const { return (bits >> (rounds - 1 - round) & 1) != 0; }
    [[nodiscard]] constexpr std::size_t ones() const { return static_cast<std::size_t>(std::popcount(bits)); }

    /// How many ranks a run has before `round`.
    [[nodiscard]] constexpr std::size_t run(std::size_t round) const { return bits >> (rounds - round); }

    /// How far messages go in `round`.
    [[nodiscard]] constexpr std::size_t distance(std::size_t round) const {
        return run(round) + ((*this)[round] ? 1 : 0);
    }

    friend bool operator==(bit_word const&, bit_word const&) = default;
};

/// Every rank has the product of a run of ranks before it; a word of bits states in which rounds runs double.
///
/// exclusive_scan: the cheapest word of R = `rounds` bits whose value is at least p-1; with u ones it takes R rounds
/// and at most R+u-2 combines (p > 2). 1100...0 is known as 123-doubling, 1000...0 as shift, then double.
/// inclusive_scan: the word of ones, where only runs with the sender's own operand travel: q = ⌈log2 p⌉ rounds and
/// combines. scan_reduce: the word of exactly p-1, round the circle. What wraps is a run of its own, so that order is
/// kept, and a message has two parts if only its sender's run wraps: q rounds, up to q+popcount(p-1) combines.
/// all_reduce: the same as one run, commutative operators only: q rounds and messages, q-1+popcount(p-1) combines.
/// Totals are bracketed differently on different ranks. To generate: O(log p).
/// Source: [traeff-prefix], [traeff-scan], [barnoy95].
/// Counts of scans: L, the fewest | at most L m | L m, exclusive at most 2 (L - 1) m.
/// Counts of scan_reduce: L, the fewest | at most (2 L - 1) m | at most 2 L m.
/// Counts of all_reduce: L | L m | at most (2 L - 1) m.
struct doubling {
    /// Of an exclusive_scan; 0: the least, ⌈log2 p⌉. With one more it never needs more than ⌈log2 p⌉ combines; still
    /// more save nothing and are not taken.
    std::size_t rounds = 0;
    friend bool operator==(doubling const&, doubling const&) = default;
};

template <collective::scan_collective Scan>
constexpr facts describe(Scan, std::type_identity<doubling>) {
    return {.name = "doubling", .keeps_round_order = true};
}

/// The two parts of a message lie in different buffers: they are two messages to one rank in one round.
constexpr facts describe(collective::scan_reduce, std::type_identity<doubling>) {
    return {.name = "doubling", .identical_on_all_ranks = false, .one_ported = false, .keeps_round_order = true};
}

constexpr facts describe(collective::all_reduce, std::type_identity<doubling>) {
    return {
        .name = "doubling", .requires_commutative = true, .identical_on_all_ranks = false, .keeps_round_order = true};
}

/// The word of an exclusive_scan.
[[nodiscard]] constexpr bit_word word_of(doubling const& wanted, std::size_t size) {
    if (size == 1) { return {}; }
    auto const least = schedules::bit_width(size - 1);
    return bit_word::cheapest(size - 1, std::clamp(wanted.rounds, least, least + 1));
}

[[nodiscard]] inline lazy_schedule generate(collective::exclusive_scan, doubling const& wanted, problem const& at) {
    block_list const whole{block_range{0, at.blocks.blocks()}};
    auto const with_own = buffer::result();  // the run and, behind it, the own operand
    auto const word = word_of(wanted, at.size);
    auto const sends = [&](std::size_t round) {
        return at.rank + word.distance(round) < at.size && (word[round] || at.rank > 0);
    };
    running_prefix prefix{whole};
    dynamic_array<step> steps;
    for (std::size_t round = 0; round < word.rounds; ++round) {
        if (sends(round)) {
            steps.push_back(
                step::send(round, at.rank + word.distance(round), word[round] ? with_own : buffer::prefix(), whole));
        }
        if (word.run(round) < at.rank) {
            // ones are in front and distances grow: a run that is not sent with the own operand next never is
            bool const own_next = round + 1 < word.rounds && word[round + 1] && sends(round + 1);
            prefix.receive(steps, round, at.rank - word.distance(round), own_next);
        }
    }
    return without_empty_blocks(at.blocks, stored_schedule(word.rounds, std::move(steps)));
}

[[nodiscard]] inline lazy_schedule generate(collective::inclusive_scan, doubling const&, problem const& at) {
    block_list const whole{block_range{0, at.blocks.blocks()}};
    dynamic_array<step> steps;
    std::size_t round = 0;
    for (std::size_t distance = 1; distance < at.size; distance *= 2, ++round) {
        if (at.rank + distance < at.size) {
            steps.push_back(step::send(round, at.rank + distance, buffer::result(), whole));
        }
        if (at.rank >= distance) {
            steps.push_back(step::receive_combine(round, at.rank - distance, buffer::result(), whole, side::left));
        }
    }
    return without_empty_blocks(at.blocks, stored_schedule(round, std::move(steps)));
}

[[nodiscard]] inline lazy_schedule generate(collective::scan_reduce, doubling const&, problem const& at) {
    block_list const whole{block_range{0, at.blocks.blocks()}};
    auto const own = buffer::result();
    auto const wrapped = buffer::scratch(1);  // the ranks p+r-c .. p-1 of the c before rank r < c
    auto const with_own = buffer::scratch(2);
    auto const word = bit_word::exactly(at.size - 1);
    running_prefix prefix{whole};
    dynamic_array<step> steps;
    for (std::size_t round = 0; round < word.rounds; ++round) {
        auto const run = word.run(round);
        auto const distance = word.distance(round);
        bool const wraps = at.rank < run;
        auto sent = word[round] ? own : buffer::prefix();
        if (word[round] && prefix.holds_anything()) {
            steps.push_back(step::copy(round, buffer::prefix(), with_own, whole));
            steps.push_back(step::combine(round, own, with_own, whole, side::right));
            sent = with_own;
        }
        auto const to = (at.rank + distance) % at.size;
        // a run that wraps goes to a higher rank, since rank + distance < 2c + b < p
        if (wraps) { steps.push_back(step::send(round, to, wrapped, whole)); }
        if (word[round] || prefix.holds_anything()) { steps.push_back(step::send(round, to, sent, whole)); }

        if (at.rank >= distance) {
            auto const from = at.rank - distance;
            if (from < run) { steps.push_back(step::receive(round, from, wrapped, whole)); }
            if (word[round] || from > 0) { prefix.receive(steps, round, from, false); }
        } else {
            auto const from = at.rank + at.size - distance;
            steps.push_back(wraps ? step::receive_combine(round, from, wrapped, whole, side::left)
                                  : step::receive(round, from, wrapped, whole));
        }
    }
    auto const last = word.rounds - 1;
    if (prefix.holds_anything()) { steps.push_back(step::combine(last, buffer::prefix(), own, whole, side::left)); }
    if (at.rank + 1 < at.size) { steps.push_back(step::combine(last, wrapped, own, whole, side::right)); }
    return without_empty_blocks(at.blocks, stored_schedule(word.rounds, std::move(steps)));
}

[[nodiscard]] inline lazy_schedule generate(collective::all_reduce, doubling const&, problem const& at) {
    block_list const whole{block_range{0, at.blocks.blocks()}};
    auto const own = buffer::result();
    auto const others = buffer::scratch(0);
    auto const with_own = buffer::scratch(1);
    auto const word = bit_word::exactly(at.size - 1);
    dynamic_array<step> steps;
    for (std::size_t round = 0; round < word.rounds; ++round) {
        auto const to = (at.rank + word.distance(round)) % at.size;
        auto const from = (at.rank + at.size - word.distance(round)) % at.size;
        if (round == 0) {
            steps.push_back(step::send(round, to, own, whole));
            steps.push_back(step::receive(round, from, others, whole));
            continue;
        }
        if (word[round]) {
            steps.push_back(step::copy(round, others, with_own, whole));
            steps.push_back(step::combine(round, own, with_own, whole, side::right));
        }
        steps.push_back(step::send(round, to, word[round] ? with_own : others, whole));
        steps.push_back(step::receive_combine(round, from, others, whole, side::left));
    }
    if (at.size > 1) { steps.push_back(step::combine(word.rounds - 1, others, own, whole, side::left)); }
    return without_empty_blocks(at.blocks, stored_schedule(word.rounds, std::move(steps)));
}

}  // namespace tutti::generators

namespace tutti {
using generators::doubling;
}  // namespace tutti
