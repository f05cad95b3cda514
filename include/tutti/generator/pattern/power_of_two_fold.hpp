// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <bit>
#include <cstddef>

namespace tutti {

/// p ranks as P = 2^⌊log2 p⌋ groups: the first p - P groups are pairs of neighbours, the others single ranks, so that
/// groups lie in the order of their ranks.
struct power_of_two_fold {
    std::size_t groups;
    std::size_t pairs;

    constexpr explicit power_of_two_fold(std::size_t size) : groups{std::bit_floor(size)}, pairs{size - groups} {}

    /// Rounds of an algorithm that doubles a distance from 1 to P.
    [[nodiscard]] constexpr std::size_t levels() const { return static_cast<std::size_t>(std::bit_width(groups)) - 1; }

    [[nodiscard]] constexpr bool is_paired(std::size_t rank) const { return rank < 2 * pairs; }

    [[nodiscard]] constexpr std::size_t group_of(std::size_t rank) const {
        return is_paired(rank) ? rank / 2 : rank - pairs;
    }

    /// The rank that acts for a group: `root` for the group it is in, otherwise the first one.
    [[nodiscard]] constexpr std::size_t representative(std::size_t group, std::size_t root) const {
        if (group == group_of(root)) { return root; }
        return group < pairs ? 2 * group : group + pairs;
    }
};

}  // namespace tutti
