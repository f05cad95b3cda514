// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <bit>
#include <cstddef>

namespace tutti {

/// Bits, the most significant first, one for each round in which a run of neighbouring ranks grows.
///
/// Before a round every rank knows the run of the c ranks before it, at first c = 0. In a round with bit 0 it sends
/// that run over distance c, in one with bit 1 it puts its own operand behind it and sends both over distance c + 1.
/// After a round with bit b the run has 2c + b ranks, after all rounds as many as the value of the word.
/// Requires length < 64. Cost of each function: O(length) at most.
/// Source: Bar-Noy, Kipnis, Schieber: census functions; Träff, Two Efficient Message-passing Exclusive Scan
/// Algorithms.
struct bit_word {
    std::size_t bits = 0;
    std::size_t length = 0;

    /// The word without leading zeros that makes runs of exactly `run` ranks.
    [[nodiscard]] static constexpr bit_word exactly(std::size_t run) {
        return {run, static_cast<std::size_t>(std::bit_width(run))};
    }

    /// Of the words of `length` bits that make runs of `run` ranks or more, the one with the fewest ones, all of them
    /// in front. Requires run < 2^length.
    [[nodiscard]] static constexpr bit_word cheapest(std::size_t run, std::size_t length) {
        bit_word result{0, length};
        for (auto zeros = length; result.bits < run; --zeros) { result.bits |= std::size_t{1} << (zeros - 1); }
        return result;
    }

    [[nodiscard]] constexpr bool operator[](std::size_t round) const { return (bits >> (length - 1 - round) & 1) != 0; }
    [[nodiscard]] constexpr std::size_t ones() const { return static_cast<std::size_t>(std::popcount(bits)); }

    /// How many ranks a run has before `round`.
    [[nodiscard]] constexpr std::size_t run(std::size_t round) const { return bits >> (length - round); }

    /// How far messages go in `round`.
    [[nodiscard]] constexpr std::size_t distance(std::size_t round) const {
        return run(round) + ((*this)[round] ? 1 : 0);
    }

    friend bool operator==(bit_word const&, bit_word const&) = default;
};

}  // namespace tutti
