// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
//
// One sum on 1 to 8 ranks, in three ways: as usual, by one tree over all elements, and without any rounding, by an
// operator of the user's on bins. The tree costs next to nothing, keeps the order of operands and serves any
// associative operator; it rounds like pairwise summation. Bins are for sums that must be right, or whose elements come
// in any order: they take many times as long, and half a kilobyte travels.
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iostream>
#include <numeric>
#include <set>
#include <vector>

#include <tutti/collective/sequence.hpp>
#include <tutti/threads.hpp>

/// A sum of fewer than 2^30 doubles without rounding: bin i counts multiples of 2^(32 i - 1152).
struct bins {
    std::array<std::int64_t, 70> at{};

    void add(double x) {
        int exponent = 0;
        auto rest = static_cast<std::int64_t>(std::ldexp(std::frexp(x, &exponent), 53));  // x = rest 2^(exponent - 53)
        auto const place = exponent - 53 + 1152;
        auto const shift = place % 32;
        auto bin = static_cast<std::size_t>(place / 32);
        at[bin++] += rest % (std::int64_t{1} << (32 - shift)) * (std::int64_t{1} << shift);
        for (rest /= std::int64_t{1} << (32 - shift); rest != 0; rest /= std::int64_t{1} << 32) {
            at[bin++] += rest % (std::int64_t{1} << 32);
        }
    }

    [[nodiscard]] double value() const {
        auto carried = at;  // so that the sum is rounded once, or nearly: all bins but the last are below 2^31
        for (std::size_t i = 0; i + 1 != carried.size(); ++i) {
            auto const carry = (carried[i] + (std::int64_t{1} << 31)) >> 32;
            carried[i] -= carry * (std::int64_t{1} << 32);
            carried[i + 1] += carry;
        }
        double sum = 0;
        for (std::size_t i = 0; i != carried.size(); ++i) {
            sum += std::ldexp(static_cast<double>(carried[i]), 32 * static_cast<int>(i) - 1152);
        }
        return sum;
    }
};

struct plus_of_bins {
    bins operator()(bins left, bins const& right) const {
        for (std::size_t i = 0; i != left.at.size(); ++i) { left.at[i] += right.at[i]; }
        return left;
    }
};

int main() {
    std::vector<double> all;
    for (int i = 0; i != 10'000; ++i) { all.push_back(i % 1000 == 7 ? 1e16 : i % 1000 == 8 ? -1e16 : 1.0 / (i + 1)); }

    std::set<double> usual, by_tree, without_rounding;
    for (int ranks = 1; ranks <= 8; ++ranks) {
        tutti::threads::run(ranks, [&](auto& world) {
            auto const begin = all.begin() + 10'000 * world.rank() / world.size();
            std::vector<double> const mine(begin, all.begin() + 10'000 * (world.rank() + 1) / world.size());
            auto const sum = tutti::all_reduce(world, std::accumulate(mine.begin(), mine.end(), 0.0), std::plus<>{});
            auto const same = tutti::all_reduce_sequence(world, mine, std::plus<>{});
            bins own;
            for (auto const each : mine) { own.add(each); }
            auto const exact = tutti::all_reduce(world, own, tutti::commutative(plus_of_bins{})).value();
            if (world.rank() == 0) { usual.insert(sum), by_tree.insert(same), without_rounding.insert(exact); }
        });
    }
    bool const as_alone = *by_tree.begin() == *tutti::reduce_sequence(all, std::plus<>{});
    std::cout << "as usual: " << (usual.size() == 1 ? "one result" : "several results") << "\nby one tree: "
              << by_tree.size() << " result, " << (as_alone ? "" : "not ") << "that of one process\nwithout rounding: "
              << without_rounding.size() << " result, " << *without_rounding.begin() << '\n';
}
