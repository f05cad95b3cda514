// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <bit>
#include <cstddef>

#include <tutti/dynamic_array.hpp>

namespace tutti {

/// A range of ranks [first, last) is halved at `middle`; messages between the halves pass between their first ranks,
/// `first` and `middle`.
struct range_split {
    std::size_t level;  ///< 0 for the range of all ranks
    std::size_t first;
    std::size_t middle;
    std::size_t last;
    friend bool operator==(range_split const&, range_split const&) = default;
};

/// Levels of splits until every range is one rank: ⌈log2 p⌉.
[[nodiscard]] constexpr std::size_t split_levels(std::size_t size) {
    return static_cast<std::size_t>(std::bit_width(size - 1));
}

/// The splits in which `rank` is `first` or `middle`, from the range of all `size` ranks down; of an odd number of
/// ranks the larger half is the first.
///
/// A rank is `middle` once at most, in the first of its splits: it receives there what it passes on. Cost: O(log p).
[[nodiscard]] inline dynamic_array<range_split> splits_of(std::size_t rank, std::size_t size) {
    dynamic_array<range_split> result;
    std::size_t first = 0;
    auto last = size;
    for (std::size_t level = 0; last - first > 1; ++level) {
        auto const middle = last - (last - first) / 2;
        if (rank == first || rank == middle) { result.push_back({level, first, middle, last}); }
        (rank < middle ? last : first) = middle;
    }
    return result;
}

}  // namespace tutti
