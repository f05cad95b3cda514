// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>

#include <tutti/dynamic_array.hpp>

namespace tutti::generators {

/// The ranks first, ..., first + size - 1 cut into subgroups of neighbours whose sizes differ by at most one, smaller
/// subgroups first. Requires 1 <= subgroups <= size.
struct balanced_split {
    std::size_t first;
    std::size_t size;
    std::size_t subgroups;

    [[nodiscard]] constexpr std::size_t size_of(std::size_t subgroup) const {
        return size / subgroups + (subgroup < smaller() ? 0 : 1);
    }
    [[nodiscard]] constexpr std::size_t begin(std::size_t subgroup) const {
        return first + subgroup * (size / subgroups) + (subgroup > smaller() ? subgroup - smaller() : 0);
    }
    /// The subgroup that `rank`, which is one of them, is in.
    [[nodiscard]] constexpr std::size_t subgroup_of(std::size_t rank) const {
        auto const in_smaller = smaller() * (size / subgroups);
        auto const place = rank - first;
        return place < in_smaller ? place / (size / subgroups)
                                  : smaller() + (place - in_smaller) / (size / subgroups + 1);
    }

    friend bool operator==(balanced_split const&, balanced_split const&) = default;

private:
    [[nodiscard]] constexpr std::size_t smaller() const { return subgroups - size % subgroups; }
};

/// The least sum of `levels` factors, none above `most`, whose product is at least `size`: the factors differ by at
/// most one. Nothing if there are none. Cost: O(levels (levels + log most)).
[[nodiscard]] constexpr std::optional<std::size_t> least_sum_of_factors(std::size_t size, std::size_t levels,
                                                                        std::size_t most) {
    auto const suffice = [&](std::size_t factor, std::size_t fewer) {  // `fewer` of them one less
        auto left = size;
        for (std::size_t level = 0; level < levels; ++level) {
            left = (left - 1) / (level < fewer ? factor - 1 : factor) + 1;
        }
        return left == 1;
    };
    if (!suffice(most, 0)) { return std::nullopt; }
    std::size_t too_small = 0;
    while (most - too_small > 1) {
        auto const middle = too_small + (most - too_small) / 2;
        (suffice(middle, 0) ? most : too_small) = middle;
    }
    std::size_t fewer = 0;
    while (fewer < levels && most > 1 && suffice(most, fewer + 1)) { ++fewer; }
    return levels * most - fewer;
}

/// Into how many subgroups ranges of ranks are cut, level by level from all `size` ranks down, until a subgroup is one
/// rank: the fewest levels with at most `radix` subgroups, and of these the least sum of subgroups.
///
/// Among those the last levels have as many subgroups as they can: then subgroups of few ranks, of which one more makes
/// much difference, are rare, and a radix of two or four cuts powers of two into equal subgroups.
/// Requires size > 0, radix >= 2. Cost: O(radix log² p).
[[nodiscard]] inline dynamic_array<std::size_t> radix_factors(std::size_t size, std::size_t radix) {
    std::size_t levels = 0;
    while (!least_sum_of_factors(size, levels, radix)) { ++levels; }
    dynamic_array<std::size_t> result(levels);
    auto left = size;
    auto sum = least_sum_of_factors(size, levels, radix).value();
    for (auto level = levels; level-- > 0;) {
        auto subgroups = std::min(radix, sum);
        while (least_sum_of_factors((left - 1) / subgroups + 1, level, radix) != sum - subgroups) { --subgroups; }
        result[level] = subgroups;
        left = (left - 1) / subgroups + 1;
        sum -= subgroups;
    }
    return result;
}

/// A level in which the subgroups of a group exchange their products, as one rank sees it.
///
/// The j-th member of a subgroup receives from the j-th member of each other subgroup. If that has one member less, the
/// last member receives from one that depends on its subgroup, so that members send to at most one rank more than there
/// are other subgroups. Every member sends to at least one member of each later subgroup, which is not smaller.
struct radix_level {
    balanced_split group;
    std::size_t subgroup;  ///< the rank's
    std::size_t member;    ///< the rank's number in its subgroup

    [[nodiscard]] std::size_t subgroups() const { return group.subgroups; }
    [[nodiscard]] std::size_t end() const { return group.first + group.size; }

    /// The ranks from which this one receives, one of each of the subgroups [from, to) except its own.
    [[nodiscard]] dynamic_array<std::size_t> senders(std::size_t from, std::size_t to) const {
        dynamic_array<std::size_t> result;
        for (auto other = from; other < to; ++other) {
            if (other == subgroup) { continue; }
            auto const members = group.size_of(other);
            result.push_back(group.begin(other) + (member < members ? member : subgroup % members));
        }
        return result;
    }

    /// The ranks of the subgroups [from, to) that receive from this one.
    [[nodiscard]] dynamic_array<std::size_t> receivers(std::size_t from, std::size_t to) const {
        dynamic_array<std::size_t> result;
        auto const members = group.size_of(subgroup);
        for (auto other = from; other < to; ++other) {
            if (other == subgroup) { continue; }
            if (member < group.size_of(other)) { result.push_back(group.begin(other) + member); }
            if (members < group.size_of(other) && other % members == member) {
                result.push_back(group.begin(other) + members);
            }
        }
        return result;
    }
};

/// The levels of `rank`, from subgroups of single ranks up to the subgroups of all ranks. In a level where its group is
/// one rank, that is the only subgroup.
/// Requires rank < size, radix >= 2. Cost: as `radix_factors`.
[[nodiscard]] inline dynamic_array<radix_level> radix_levels(std::size_t rank, std::size_t size, std::size_t radix) {
    dynamic_array<radix_level> result;
    balanced_split group{0, size, 1};
    for (auto const factor : radix_factors(size, radix)) {
        group.subgroups = std::min(factor, group.size);
        auto const subgroup = group.subgroup_of(rank);
        result.push_back({group, subgroup, rank - group.begin(subgroup)});
        group = {group.begin(subgroup), group.size_of(subgroup), 1};
    }
    std::reverse(result.begin(), result.end());
    return result;
}

}  // namespace tutti::generators
