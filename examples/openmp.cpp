// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
//
// Threads of OpenMP on processes of MPI as ranks of one world: each thread counts its samples in a histogram of its own
// and keeps its least ones; one call reduces both among threads and processes.
#include <algorithm>
#include <array>
#include <cstddef>
#include <iostream>
#include <random>
#include <vector>

#include <mpi.h>
#include <omp.h>

#include <tutti/mpi.hpp>
#include <tutti/team.hpp>

struct samples {
    std::array<double, 5> least;
};

/// The five least of two times five, each in order.
samples merged(samples const& a, samples const& b) {
    std::array<double, 10> both;
    std::merge(a.least.begin(), a.least.end(), b.least.begin(), b.least.end(), both.begin());
    samples result;
    std::copy_n(both.begin(), result.least.size(), result.least.begin());
    return result;
}

int main(int argc, char** argv) {
    int level = MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    {
        constexpr int threads = 2;
        tutti::team team{MPI_COMM_WORLD, threads};
        #pragma omp parallel num_threads(threads)
        {
            auto const world = team.rank(omp_get_thread_num());
            std::mt19937 random{static_cast<unsigned>(world.rank())};
            std::vector<double> drawn(1000);
            for (auto& each : drawn) { each = static_cast<double>(random() % 1'000'000) / 1e6; }

            std::vector<std::size_t> counts(8);
            for (auto const each : drawn) { ++counts[static_cast<std::size_t>(each * 8)]; }
            tutti::all_reduce(world, tutti::inplace(counts), std::plus<>{});

            std::partial_sort(drawn.begin(), drawn.begin() + 5, drawn.end());
            samples mine;
            std::copy_n(drawn.begin(), mine.least.size(), mine.least.begin());
            auto const all = tutti::all_reduce(world, mine, merged);

            if (world.rank() == world.size() - 1) {  // any of them: all have the result
                std::cout << world.size() << " threads:";
                for (auto const count : counts) { std::cout << ' ' << count; }
                std::cout << "; least";
                for (auto const each : all.least) { std::cout << ' ' << each; }
                std::cout << '\n';
            }
        }
    }
    MPI_Finalize();
}
