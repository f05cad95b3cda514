// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include <mpi.h>

#include "contenders.hpp"
#include "machine.hpp"

namespace tutti::benchmark {

/// The ranks of this run. They compare notes by single messages only, so that no collective under test is involved.
struct ranks {
    int rank;
    int size;
    machine::start_line start;

    [[nodiscard]] bool is_first() const { return rank == 0; }

    /// On rank 0: the largest of each number over all ranks.
    [[nodiscard]] std::vector<double> largest(std::vector<double> numbers) const {
        auto const n = static_cast<int>(numbers.size());
        if (!is_first()) {
            MPI_Send(numbers.data(), n, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
            return numbers;
        }
        std::vector<double> theirs(numbers.size());
        for (int peer = 1; peer < size; ++peer) {
            MPI_Recv(theirs.data(), n, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            std::transform(numbers.begin(), numbers.end(), theirs.begin(), numbers.begin(),
                           [](double a, double b) { return std::max(a, b); });
        }
        return numbers;
    }

    /// Whether it is true on every rank.
    [[nodiscard]] bool all(bool here) const {
        double verdict = largest({here ? 0.0 : 1.0}).front();
        if (is_first()) {
            for (int peer = 1; peer < size; ++peer) { MPI_Send(&verdict, 1, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD); }
        } else {
            MPI_Recv(&verdict, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        return verdict == 0.0;
    }
};

/// Times of one contender in one cell, in seconds: of each repetition that of the slowest rank.
struct times {
    double median = 0;
    double least = 0;
    double most = 0;
};

[[nodiscard]] inline times summary(std::vector<double> sample) {
    std::sort(sample.begin(), sample.end());
    auto const n = sample.size();
    return {(sample[(n - 1) / 2] + sample[n / 2]) / 2, sample.front(), sample.back()};
}

/// All contenders in turn, again and again, each time in another order. The times are right on rank 0.
[[nodiscard]] inline std::vector<times> measure(std::vector<contender> const& candidates, ranks const& world,
                                                std::size_t repetitions) {
    auto const n = candidates.size();
    std::vector<double> here(n * repetitions);
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::minstd_rand same_on_all_ranks;
    for (std::size_t repetition = 0; repetition != repetitions; ++repetition) {
        std::shuffle(order.begin(), order.end(), same_on_all_ranks);
        for (auto const candidate : order) {
            world.start.wait();
            auto const begin = MPI_Wtime();
            candidates[candidate].run();
            here[candidate * repetitions + repetition] = MPI_Wtime() - begin;
        }
    }
    world.start.wait();  // no rank sends anything else while another is still being timed
    auto const slowest = world.largest(std::move(here));
    std::vector<times> result;
    for (auto first = slowest.begin(); first != slowest.end(); first += static_cast<std::ptrdiff_t>(repetitions)) {
        result.push_back(summary({first, first + static_cast<std::ptrdiff_t>(repetitions)}));
    }
    return result;
}

/// How often a vector of `bytes` bytes is timed, if nobody says: a simulation gives the same time every time.
[[nodiscard]] inline std::size_t usual_repetitions(std::size_t bytes) {
    return machine::is_simulated ? 1 : std::clamp<std::size_t>((std::size_t{64} << 20) / bytes, 10, 200);
}

}  // namespace tutti::benchmark
