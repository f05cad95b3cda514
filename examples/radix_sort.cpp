// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
//
// Radix sort of distributed keys, one digit after the other. A scan_reduce of counts, one per value of the digit, gives
// every rank the exact position of each of its keys. All ranks keep blocks of ⌈n / p⌉ keys.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iostream>
#include <numeric>
#include <vector>

#include <tutti/threads.hpp>

using keys = std::vector<std::uint32_t>;

/// Joins keys that come from several ranks, in their order: associative, but not commutative.
struct concatenate {
    keys operator()(keys left, keys const& right) const {
        left.insert(left.end(), right.begin(), right.end());
        return left;
    }
};

/// The keys of all ranks in ascending order, in blocks of ⌈n / p⌉ for ranks 0, 1, ....
template <class World>
keys radix_sort(World const& world, keys mine) {
    constexpr std::size_t values = 256;
    auto const size = static_cast<std::size_t>(world.size());
    for (int shift = 0; shift < 32; shift += 8) {
        auto const digit = [shift](std::uint32_t key) { return std::size_t{key >> shift & 0xff}; };
        std::vector<std::size_t> counts(values);
        std::vector<std::size_t> before(values);  // in the ranks before this one
        std::vector<std::size_t> totals(values);  // in all ranks
        for (auto const key : mine) { ++counts[digit(key)]; }
        tutti::scan_reduce(world, counts, before, totals, std::plus<>{});

        auto const all = std::accumulate(totals.begin(), totals.end(), std::size_t{0});
        auto const share = std::max(std::size_t{1}, (all + size - 1) / size);
        std::vector<std::size_t> place(values);  // where the next key goes
        std::exclusive_scan(totals.begin(), totals.end(), place.begin(), std::size_t{0});
        std::transform(place.begin(), place.end(), before.begin(), place.begin(), std::plus<>{});
        std::vector<keys> pieces(size);
        for (auto const key : mine) { pieces[place[digit(key)]++ / share].push_back(key); }

        // Keys with one value of the digit are in order now: those of rank 0 first, as they were there, and so on.
        tutti::reduce_scatter(world, pieces, mine, concatenate{});
        std::stable_sort(mine.begin(), mine.end(), [&](auto a, auto b) { return digit(a) < digit(b); });
    }
    return mine;
}

int main() {
    constexpr int size = 5;
    keys all(1000);
    for (std::uint32_t i = 0; i < 1000; ++i) { all[i] = i * i * 2'654'435'761U; }
    std::vector<keys> blocks;
    tutti::threads::run(size, [&](auto& world) {
        // Rank r has 40 (2 r + 1) keys to begin with.
        auto const r = world.rank();
        auto const mine = radix_sort(world, keys(all.begin() + 40 * r * r, all.begin() + 40 * (r + 1) * (r + 1)));
        tutti::gather(world, mine, blocks, 0);
    });

    std::sort(all.begin(), all.end());
    auto expected = all.begin();
    for (auto const& block : blocks) {
        std::cout << block.size() << " keys from " << block.front() << " to " << block.back() << '\n';
        expected = std::mismatch(block.begin(), block.end(), expected).second;
    }
    std::cout << (expected == all.end() ? "as sorted on one rank\n" : "not as sorted on one rank\n");
    return expected == all.end() ? 0 : 1;
}
