// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>

#include <tutti/schedule.hpp>

namespace tutti {

/// Who keeps which blocks when groups halve what they share, over distances 1, 2, 4, ...
///
/// Before round k all groups that agree in the bits below k hold the same blocks. In round k group g and its partner
/// g ^ 2^k keep one half each and give the other one away; g keeps the first half, the larger one of an odd count,
/// if bit k of g is 0. After it g has what 2^(k+1) groups with neighbouring numbers had, its own among them.
/// Run backwards it is a doubling: what was kept is sent and what was given away comes back.
/// Cost of each function: O(k).
struct halving {
    std::size_t group;
    std::size_t blocks;  ///< how many all groups hold at first

    [[nodiscard]] static constexpr std::size_t partner(std::size_t group, std::size_t round) {
        return group ^ (std::size_t{1} << round);
    }

    /// What the group holds after the first `rounds` rounds.
    [[nodiscard]] constexpr block_range kept(std::size_t rounds) const {
        block_range held{0, blocks};
        for (std::size_t round = 0; round < rounds; ++round) {
            auto const middle = held.first + (held.last - held.first + 1) / 2;
            (group >> round & 1 ? held.first : held.last) = middle;
        }
        return held;
    }

    /// What the group gives its partner in `round`.
    [[nodiscard]] constexpr block_range given(std::size_t round) const {
        return halving{partner(group, round), blocks}.kept(round + 1);
    }
};

}  // namespace tutti
