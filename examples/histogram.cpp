// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
//
// A distributed histogram: every rank counts its samples in all bins, and owns the sums of a few bins. A scan gives the
// number of samples up to each bin. The same code runs over threads and over boost::mpi::communicator.
#include <cstddef>
#include <functional>
#include <iostream>
#include <numeric>
#include <random>
#include <vector>

#include <tutti/threads.hpp>

using bin_counts = std::vector<std::size_t>;

/// The bins of one rank.
struct histogram {
    bin_counts in;     // samples in each of them
    bin_counts up_to;  // samples in each of them and all before it
};

/// Rank r gets the `owned[r]` bins that follow those of rank r - 1; `samples` are numbers of bins.
template <class World>
histogram histogram_of(World const& world, std::vector<std::size_t> const& samples, bin_counts const& owned) {
    bin_counts local(std::accumulate(owned.begin(), owned.end(), std::size_t{0}));
    for (auto const bin : samples) { ++local[bin]; }

    // Half the volume of an all_reduce, after which every rank would have all bins.
    bin_counts in(owned[static_cast<std::size_t>(world.rank())]);
    tutti::reduce_scatter(world, local, in, owned, std::plus<>{});

    // Among ranks one number is scanned, not one for each bin.
    auto const here = std::accumulate(in.begin(), in.end(), std::size_t{0});
    auto const before = tutti::exclusive_scan(world, here, std::plus<>{});
    bin_counts up_to(in.size());
    std::inclusive_scan(in.begin(), in.end(), up_to.begin(), std::plus<>{}, before);
    return {in, up_to};
}

/// Sums of three dice, less 3: numbers from 0 to 15.
std::vector<std::size_t> throws_of_dice(int rank) {
    std::mt19937 random{static_cast<unsigned>(rank)};
    std::vector<std::size_t> result(1000);
    for (auto& sum : result) { sum = random() % 6 + random() % 6 + random() % 6; }
    return result;
}

void print(char const* what, bin_counts const& numbers) {
    std::cout << what;
    for (auto const number : numbers) { std::cout << ' ' << number; }
    std::cout << '\n';
}

int main() {
    tutti::threads::run(6, [](auto& world) {
        bin_counts const owned{2, 3, 3, 3, 3, 2};
        auto const mine = histogram_of(world, throws_of_dice(world.rank()), owned);

        // A histogram with more bins would stay where it is.
        bin_counts in(16);
        bin_counts up_to(16);
        tutti::gather(world, mine.in, in, owned, 0);
        tutti::gather(world, mine.up_to, up_to, owned, 0);
        if (world.rank() == 0) {
            print("three dice show 3, 4, ..., 18:", in);
            print("at most 3, 4, ..., 18:", up_to);
        }
    });
}
