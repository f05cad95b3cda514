// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

/// What ranks contribute, and how vectors are divided among them.
namespace support {

/// How many elements each rank owns of a vector.
using division = std::vector<std::size_t>;

/// n elements in parts that are as 3 to 0 to 1 to 5, again and again.
[[nodiscard]] inline division uneven(int size, std::size_t n) {
    constexpr std::size_t weights[] = {3, 0, 1, 5};
    auto const ranks = static_cast<std::size_t>(size);
    std::size_t all = 0;
    for (std::size_t rank = 0; rank != ranks; ++rank) { all += weights[rank % 4]; }
    division result;
    std::size_t before = 0;
    for (std::size_t rank = 0, weight = 0; rank != ranks; ++rank) {
        weight += weights[rank % 4];
        result.push_back(n * weight / all - before);
        before += result.back();
    }
    return result;
}

/// n elements, all of one rank.
[[nodiscard]] inline division all_of(int owner, int size, std::size_t n) {
    division result(static_cast<std::size_t>(size));
    result[static_cast<std::size_t>(owner)] = n;
    return result;
}

[[nodiscard]] inline division equal(int size, std::size_t each) {
    return division(static_cast<std::size_t>(size), each);
}

[[nodiscard]] inline std::size_t total(division const& counts) {
    return std::accumulate(counts.begin(), counts.end(), std::size_t{0});
}

[[nodiscard]] inline std::size_t part_size(division const& counts, int rank) {
    return counts[static_cast<std::size_t>(rank)];
}

/// The part of a vector that `rank` owns.
template <class T>
[[nodiscard]] std::vector<T> part_of(std::vector<T> const& whole, division const& counts, int rank) {
    auto const owner = counts.begin() + rank;
    auto const first =
        whole.begin() + static_cast<std::ptrdiff_t>(std::accumulate(counts.begin(), owner, std::size_t{0}));
    return {first, first + static_cast<std::ptrdiff_t>(*owner)};
}

/// The parts of all ranks, one after the other; `part(rank, count)` gives each.
template <class Part>
[[nodiscard]] auto concatenated(division const& counts, Part part) {
    auto whole = part(0, counts[0]);
    for (std::size_t rank = 1; rank != counts.size(); ++rank) {
        auto const next = part(static_cast<int>(rank), counts[rank]);
        whole.insert(whole.end(), next.begin(), next.end());
    }
    return whole;
}

/// Vectors of about n elements, divided in all ways: equally, unevenly, and all of it to the last rank.
[[nodiscard]] inline std::vector<division> divisions(int size, std::size_t n) {
    return {equal(size, n / static_cast<std::size_t>(size)), uneven(size, n), all_of(size - 1, size, n)};
}

/// Calls `test(counts, type)` with the same counts in all types.
template <class Test>
void for_each_type_of_counts(division const& counts, Test test) {
    test(counts, "std::size_t");
    test(std::span{counts}, "a span");
    test(std::vector<int>(counts.begin(), counts.end()), "int");
    std::array<long, 8> all{};
    std::copy(counts.begin(), counts.end(), all.begin());
    test(std::span{all}.first(counts.size()), "long");
}

/// What rank `rank` contributes: (rank + 1) (i + 1) at i.
[[nodiscard]] inline std::vector<int> operands(int rank, std::size_t count) {
    std::vector<int> result(count);
    for (std::size_t i = 0; i != count; ++i) { result[i] = (rank + 1) * (static_cast<int>(i % 1000) + 1); }
    return result;
}

/// The sum of all ranks' operands.
[[nodiscard]] inline std::vector<int> sums(int size, std::size_t count) {
    auto result = operands(0, count);
    for (auto& each : result) { each *= size * (size + 1) / 2; }
    return result;
}

/// The sum of the operands of the ranks before this one: 0 for the first.
[[nodiscard]] inline std::vector<int> sums_before(int rank, std::size_t count) {
    return rank == 0 ? std::vector<int>(count) : sums(rank, count);
}

/// A whole vector with only the part of `rank` in it.
[[nodiscard]] inline std::vector<int> with_part_of(int rank, division const& counts) {
    return concatenated(counts, [&](int r, std::size_t n) { return r == rank ? operands(r, n) : std::vector(n, -1); });
}

}  // namespace support
