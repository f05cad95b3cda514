// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
//
// Sample sort: every rank cuts its sorted elements into one run for each rank, at positions from a sample of all
// elements. A reduce_scatter combines the runs by an operator that merges two of them: the collective itself sorts.
#include <algorithm>
#include <cstddef>
#include <functional>
#include <iostream>
#include <iterator>
#include <random>
#include <utility>
#include <vector>

#include <tutti/threads.hpp>

using numbers = std::vector<unsigned>;

/// An operator on runs. It commutes, since equal numbers are interchangeable.
struct merge {
    numbers operator()(numbers const& left, numbers const& right) const {
        numbers result;
        result.reserve(left.size() + right.size());
        std::merge(left.begin(), left.end(), right.begin(), right.end(), std::back_inserter(result));
        return result;
    }
};

/// Sorts the elements of all ranks: no element of a rank is less than any of the ranks before it. Every rank must have
/// elements; with equal numbers of them and no duplicates, no rank gets more than twice its share (Shi, Schaeffer).
/// An element passes through at most ⌈log2 p⌉ ranks, and is merged in each.
template <class World>
numbers sample_sort(World const& world, numbers mine) {
    auto const size = static_cast<std::size_t>(world.size());
    std::sort(mine.begin(), mine.end());

    numbers sample(size);
    for (std::size_t i = 0; i < size; ++i) { sample[i] = mine[i * mine.size() / size]; }
    numbers samples(size * size);
    tutti::all_gather(world, sample, samples);
    std::sort(samples.begin(), samples.end());

    std::vector<numbers> runs;
    auto first = mine.cbegin();
    for (std::size_t r = 1; r < size; ++r) {
        auto const last = std::upper_bound(first, mine.cend(), samples[r * size + size / 2 - 1]);
        runs.emplace_back(first, last);
        first = last;
    }
    runs.emplace_back(first, mine.cend());
    tutti::reduce_scatter(world, runs, mine, tutti::commutative(merge{}));
    return mine;
}

int main() {
    tutti::threads::run(6, [](auto& world) {
        std::mt19937 random{static_cast<unsigned>(world.rank())};
        numbers mine(1000);
        for (auto& x : mine) { x = static_cast<unsigned>(random() % 10'000 * (random() % 10'000) / 10'000); }
        auto const sorted = sample_sort(world, std::move(mine));

        // Which of all elements are here, and is one of the ranks before greater than the least of them?
        auto const [before, all] = tutti::scan_reduce(world, sorted.size(), std::plus<>{});
        auto const last = sorted.empty() ? 0 : sorted.back();
        auto const greatest_before = tutti::exclusive_scan(world, last, tutti::maximum<>{});
        bool const in_order =
            std::is_sorted(sorted.begin(), sorted.end()) && (sorted.empty() || greatest_before <= sorted.front());
        bool const all_in_order = tutti::all_reduce(world, in_order, std::logical_and<>{});
        bool const has_median = before <= all / 2 && all / 2 < before + sorted.size();
        auto const median = tutti::all_reduce(world, has_median ? sorted[all / 2 - before] : 0, tutti::maximum<>{});

        std::vector<std::size_t> begins;
        tutti::gather(world, before, begins, 0);
        if (world.rank() == 0) {
            std::cout << all << " elements " << (all_in_order ? "in order" : "in disorder") << ", ranks begin at";
            for (auto const begin : begins) { std::cout << ' ' << begin; }
            std::cout << "\nmedian " << median << '\n';
        }
    });
}
