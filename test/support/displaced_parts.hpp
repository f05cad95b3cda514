// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <vector>

#include <support/boost_mpi_values.hpp>

/// Parts of several sizes, for the calls of Boost.MPI that take displacements.
namespace support {

/// Rank r has r % 3 + 1 elements.
[[nodiscard]] inline std::vector<int> sizes_of(int size) {
    std::vector<int> sizes;
    for (int rank = 0; rank != size; ++rank) { sizes.push_back(rank % 3 + 1); }
    return sizes;
}

/// Parts lie in the opposite order, with one element between.
[[nodiscard]] inline std::vector<int> displacements_of(std::vector<int> const& sizes) {
    std::vector<int> result(sizes.size());
    int end = 1;
    for (auto rank = sizes.size(); rank-- != 0;) {
        result[rank] = end;
        end += sizes[rank] + 1;
    }
    return result;
}

/// As many elements as all parts of `sizes`, and those between and around them, have.
[[nodiscard]] inline std::size_t extent_of(std::vector<int> const& sizes) {
    std::size_t extent = 1;
    for (auto const size : sizes) { extent += static_cast<std::size_t>(size) + 1; }
    return extent;
}

/// The parts of all ranks, one after the other.
template <class Value>
[[nodiscard]] auto in_a_row(std::vector<int> const& sizes, Value value) {
    std::vector<decltype(value(0))> all;
    for (std::size_t rank = 0; rank != sizes.size(); ++rank) {
        all.insert(all.end(), static_cast<std::size_t>(sizes[rank]), value(static_cast<int>(rank)));
    }
    return all;
}

/// The same at their displacements, and `value(99)` between.
template <class Value>
[[nodiscard]] auto displaced(std::vector<int> const& sizes, Value value) {
    auto const displacements = displacements_of(sizes);
    std::vector<decltype(value(0))> all(extent_of(sizes), value(99));
    for (std::size_t rank = 0; rank != sizes.size(); ++rank) {
        for (int i = 0; i != sizes[rank]; ++i) {
            all[static_cast<std::size_t>(displacements[rank] + i)] = value(static_cast<int>(rank));
        }
    }
    return all;
}

/// Calls `test(value of each rank, part of `rank`, parts in a row, parts at their displacements)` for each kind of
/// values.
template <class Test>
void for_each_displaced(std::vector<int> const& sizes, int rank, Test test) {
    auto const n = static_cast<std::size_t>(sizes[static_cast<std::size_t>(rank)]);
    for_each_value([&](auto value) {
        std::vector const mine(n, value(rank));
        auto const row = in_a_row(sizes, value);
        auto const with_gaps = displaced(sizes, value);
        test(value, mine, row, with_gaps);
    });
}

}  // namespace support
