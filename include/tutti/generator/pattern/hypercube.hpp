// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <bit>
#include <cstddef>

#include <tutti/generator/pattern/power_of_two_fold.hpp>

namespace tutti {

/// Neighbouring leaves [first, last) of a hypercube.
struct leaf_range {
    std::size_t first;
    std::size_t last;
    friend bool operator==(leaf_range const&, leaf_range const&) = default;
};

/// p ranks as the 2^d leaves of a hypercube, d = ⌈log2 p⌉, in the order of ranks.
///
/// If p = 2^d, leaf l is rank l. Otherwise, with p = 2^(d-1) + r, the first 2r leaves are one rank each, and every
/// later rank is two leaves that differ in the lowest bit alone. One of them has the rank's operand, the other none;
/// the two are partners in the first level, where nothing has to travel between them, and afterwards each has its share
/// of the same vector.
/// Source: Bae, Kim, Ranka: virtual processors, which here stand beside their owners.
struct hypercube {
    power_of_two_fold fold;

    constexpr explicit hypercube(std::size_t size) : fold{size} {}

    [[nodiscard]] constexpr bool is_power_of_two() const { return fold.pairs == 0; }
    [[nodiscard]] constexpr std::size_t levels() const { return fold.levels() + (is_power_of_two() ? 0 : 1); }
    [[nodiscard]] constexpr std::size_t count() const { return std::size_t{1} << levels(); }

    [[nodiscard]] constexpr std::size_t rank_of(std::size_t leaf) const {
        return is_power_of_two() || leaf < 2 * fold.pairs ? leaf : leaf / 2 + fold.pairs;
    }

    [[nodiscard]] constexpr leaf_range of(std::size_t rank) const {
        if (is_power_of_two() || fold.is_paired(rank)) { return {rank, rank + 1}; }
        auto const first = 2 * fold.group_of(rank);
        return {first, first + 2};
    }

    /// One leaf of the rank, so chosen that about as many ranks choose their first leaf as their second one, also among
    /// leaves that agree in some low bits.
    [[nodiscard]] constexpr std::size_t owner(std::size_t rank) const {
        auto const own = of(rank);
        return own.last - own.first == 1 || std::popcount(own.first) % 2 == 0 ? own.first : own.first + 1;
    }
};

}  // namespace tutti
