// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include <tutti/communicator/mpi/declarations.hpp>

#include <tutti/communicator/mpi/shared_memory/shared_segment.hpp>
#include <tutti/error.hpp>

namespace tutti::mpi {

/// Another rank has left the shared memory by an exception, or was killed, so that its messages will never come. Ranks
/// that leave because of that name the first one.
struct rank_has_left : std::runtime_error, secondary_error {
    [[gnu::cold]] explicit rank_has_left(int rank, bool was_killed = false)
        : std::runtime_error{joined({"tutti: rank ", rank,
                                     was_killed ? " was killed, or has ended without leaving the shared memory"
                                                : " has left the shared memory by an exception",
                                     "; its messages will never come"})} {}
};

namespace node {

/// How a rank waits that has looked in vain: it looks again, and after a while lets others have the processor between,
/// calls MPI for the other messages of the process, and checks for dead ranks.
///
/// That while is short where ranks have to take turns on a processor, and long where they do not, since others may keep
/// it for milliseconds. Which one holds is seen from what the processor was used for meanwhile: ranks that wait
/// themselves give it back soon.
class backoff {
public:
    explicit backoff(int ranks)
        : most_looks_{std::cmp_greater(ranks, std::thread::hardware_concurrency()) ? few : many} {}

    /// The `round`-th time in a row. Now and then calls MPI, and throws `rank_has_left` if one has: the second time,
    /// since its last message may have come after the last look. False if it was not the time for that.
    bool check_peers(shared_segment const& shared, std::size_t round) {
        if (round < looks_ || round % between_calls != 0) { return false; }
        shared.progress();
        shared.look_for_the_dead();
        auto const rank = shared.failed_rank();
        if (rank != shared.size() && std::exchange(one_has_left_, true)) {
            throw rank_has_left{shared.global_rank(rank), shared.was_killed(rank)};
        }
        return true;
    }

    /// The `round`-th time in a row, if it does nothing but wait.
    void pause(std::size_t round) {
        if (round == 0) { looks_ = std::min(most_looks_, looks_ + looks_ / 16 + 1); }
        if (round < looks_) { return; }
        auto const begun = MPI_Wtime();
        std::this_thread::yield();
        auto const away = MPI_Wtime() - begun;
        if (away > yielded_in_vain) { looks_ = away < others_ran ? few : most_looks_; }
    }

    /// For those who look again and again by themselves.
    void yield_processor() const {
        if (most_looks_ == few) { std::this_thread::yield(); }
    }

private:
    static constexpr std::size_t few = 2;
    static constexpr std::size_t many = 8000;
    static constexpr std::size_t between_calls = 100;
    static constexpr double yielded_in_vain = 1.5e-6;  // s
    static constexpr double others_ran = 50e-6;

    std::size_t most_looks_;
    std::size_t looks_ = most_looks_;
    bool one_has_left_ = false;
};

}  // namespace node

}  // namespace tutti::mpi
