// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <thread>
#include <utility>

#include <tutti/communicator/mpi/declarations.hpp>

#include <tutti/communicator/backoff.hpp>
#include <tutti/communicator/mpi/shared_memory/shared_segment.hpp>
#include <tutti/error.hpp>
#include <tutti/text.hpp>

namespace tutti::mpi {

/// Another rank has left the shared memory by an exception, or was killed, so that its messages will never come. Ranks
/// that leave because of that name the first one.
struct rank_has_left : std::runtime_error, needs_recovery, control::secondary_error {
    [[gnu::cold]] explicit rank_has_left(int rank, bool was_killed = false)
        : std::runtime_error{text::joined({"tutti: rank ", rank,
                                     was_killed ? " was killed, or has ended without leaving the shared memory"
                                                : " has left the shared memory by an exception",
                                     "; its messages will never come",
                                     was_killed ? "; end the program, and start it again" : "; see its exception"})} {}
};

}  // namespace tutti::mpi

namespace tutti::mpi::node {

/// What a rank does between two polls of shared memory that found nothing: it waits by `backoff`, lets MPI move
/// the other messages of the process, and now and then looks for ranks that are dead.
class idle {
public:
    explicit idle(int ranks)
        : shares_processor_{std::cmp_greater(ranks, std::thread::hardware_concurrency())},
          longest_sleep_{std::clamp(20'000L * ranks, 100'000L, 2'000'000L)},
          backoff_{{.few = 2,
                    .most = shares_processor_ ? most_polls_of_many : most_polls,
                    .yields = yields_before_sleep,
                    .always_sleeps = shares_processor_}} {}

    /// A wait begins.
    void begin() { backoff_.begin(); }

    /// After a poll without success of a rank that does nothing but wait.
    [[nodiscard]] control::backoff::step next(bool may_sleep) { return backoff_.next(may_sleep && !mpi_is_busy_); }

    /// After the `round`-th poll without success. Now and then, or whenever it `must`, calls MPI, and throws
    /// `rank_has_left` if a rank has: only the second time, since its last message may have come after the last poll.
    /// False if it was not the time for that.
    bool check_peers(shared_segment const& shared, std::size_t round, bool must = false) {
        bool const has_spun = backoff_.ends(round) && round % between_calls == 0;
        if (++polls_ % polls_between_calls != 0 && !has_spun && !must && !mpi_is_busy_) { return false; }
        let_mpi_progress(shared);
        if (!has_spun && !must) { return false; }
        shared.look_for_the_dead();
        auto const rank = shared.failed_rank();
        if (rank != shared.size() && std::exchange(one_has_left_, true)) {
            throw rank_has_left{shared.global_rank(rank), shared.was_killed(rank)};
        }
        return true;
    }

    /// This many polls without success were made before a message came without a wait: now and then MPI is called all
    /// the same.
    void polled(shared_segment const& shared, std::size_t polls) {
        auto const before = std::exchange(polls_, polls_ + polls);
        if (before / polls_between_calls != polls_ / polls_between_calls) { let_mpi_progress(shared); }
    }

    /// In ns. A rank that sleeps makes no progress for other messages of MPI; one that wakes takes about 8 us of a
    /// processor, and the more ranks there are, the more of them may be waking.
    [[nodiscard]] long longest_sleep() const { return longest_sleep_; }

    /// For callers that poll again and again by themselves.
    void yield_processor() const {
        if (shares_processor_) { std::this_thread::yield(); }
    }

private:
    // Where ranks share a processor 60 polls (2 us) at most: a rank in an MPI which never yields (MPICH) keeps the
    // processor for a time slice, and most messages come sooner than that. With 2 in any case, a broadcast of 8 bytes
    // by 8 ranks on two processors took 8 ms over MPICH (`./dev bench collectives --ranks 8 --mpi mpich --collectives
    // broadcast`, AMD EPYC, November 2026); with 30 in any case an all_reduce of them over Open MPI 15 % longer.
    static constexpr std::size_t most_polls_of_many = 60;
    static constexpr std::size_t most_polls = 8000;
    static constexpr std::size_t between_calls = 100;
    static constexpr std::size_t polls_between_calls = 4000;  // of about 50 ns, in one wait or many
    static constexpr std::size_t yields_before_sleep = 1000;  // of about 0.4 us; it takes 30 us to be woken
    // s; MPI copies 32 KiB, a piece of a long message, in 3 us or more, and looks without success in 0.2 to 1 us
    static constexpr double mpi_moved_data = 2e-6;
    static constexpr double mpi_is_idle_after = 200e-6;

    // MPI does not say whether other messages are under way; but a call that moves a piece of one takes longer. Then
    // the next piece is soon there, and each poll calls MPI.
    void let_mpi_progress(shared_segment const& shared) {
        auto const begun = MPI_Wtime();
        shared.progress();
        auto const now = MPI_Wtime();
        if (now - begun > mpi_moved_data) { last_moved_ = now; }
        mpi_is_busy_ = now - last_moved_ < mpi_is_idle_after;
    }

    bool shares_processor_;
    long longest_sleep_;
    control::backoff backoff_;
    bool one_has_left_ = false;
    std::size_t polls_ = 0;
    bool mpi_is_busy_ = false;
    double last_moved_ = -mpi_is_idle_after;  // s, of MPI_Wtime
};

}  // namespace tutti::mpi::node
