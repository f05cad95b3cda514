// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#include <tutti/communicator/mpi/environment.hpp>
#include <tutti/communicator/mpi/nodes.hpp>
#include <tutti/communicator/mpi/sharing_decision.hpp>
#include <tutti/mpi.hpp>

namespace tutti::preload {

/// When tutti begins to perform the calls of a communicator. It needs a private communicator and shared memory, and to
/// set these up takes as long as thousands of short calls.
///
/// Calls that give the same bits by tutti and by MPI begin after a time: rank 0 broadcasts how long ago the first of
/// them was. Other sums begin after a number of calls and bytes, so that tutti performs the same ones in every run.
/// With more ranks than processors both need `calls_in_turns` calls. With TUTTI_SHARED_MEMORY=always on rank 0 all
/// begin at once. All ranks count the same calls of the communicator.
class warm_up {
public:
    explicit warm_up(int ranks) : ranks_{ranks}, seconds_{mpi::sharing_cost::of_communicator(ranks)} {}

    [[nodiscard]] bool is_due(bool gives_same_bits) const { return gives_same_bits ? is_due_ : are_sums_due_; }

    /// What is left until something is due, and what a call takes of it: calls until the next look at the clock, or
    /// nanoseconds that sums have yet to save. While more is left, to take that is all that a call has to do.
    [[nodiscard]] std::int64_t& left(bool gives_same_bits) { return gives_same_bits ? calls_left_ : ns_left_; }
    [[nodiscard]] std::int64_t taken_by(bool gives_same_bits, std::size_t bytes) const {
        if (gives_same_bits) { return 1; }
        return in_ns(may_take_turns_ ? saved_in_turns : mpi::sharing_cost::saved_by_call(bytes));
    }

    /// Counts a call of `bytes` bytes that MPI performs; returns whether tutti performs the next one. All ranks call.
    [[nodiscard]] bool count(bool gives_same_bits, std::size_t bytes, MPI_Comm comm) {
        bool const is_first = calls_ == 0;
        if (is_first) { static_cast<void>(agree(comm, 1)); }
        if (gives_same_bits) { return is_first ? is_due_ : --calls_left_ <= 0 && agree(comm, next_look_); }
        ns_left_ -= taken_by(false, bytes);
        are_sums_due_ = are_sums_due_ || ns_left_ <= 0;
        is_due_ = is_due_ || are_sums_due_;
        return are_sums_due_;
    }

private:
    [[nodiscard]] static std::int64_t in_ns(double seconds) { return static_cast<std::int64_t>(seconds * 1e9); }

    /// Rank 0 decides by its clock and its processors, and broadcasts by MPI: there is no private communicator yet. A
    /// program's first all_reduce by MPICH takes 0.18 ms, a broadcast 3 us (4.0, 2 ranks, Intel Xeon, 2026-11-29).
    [[nodiscard, gnu::cold, gnu::noinline]] bool agree(MPI_Comm comm, std::int64_t calls) {
        constexpr auto always = std::numeric_limits<std::int64_t>::max();
        auto const now = mpi::communicator::now();
        if (calls == 1) { first_ = now; }
        calls_ = calls;
        next_look_ = 2 * calls_;
        calls_left_ = calls_;
        bool const is_wanted = calls_ == 1 && mpi::environment::sharing() == memory_sharing::always;
        std::int64_t processors = 0;
        for (auto const word : mpi::own_processors()) { processors += std::popcount(word); }
        std::array of_rank_0{is_wanted ? always : now - first_, processors};
        if (PMPI_Bcast(of_rank_0.data(), 2, MPI_INT64_T, 0, comm) != MPI_SUCCESS) { return false; }
        auto const elapsed = of_rank_0[0];  // ns
        may_take_turns_ = ranks_ > of_rank_0[1];
        if (may_take_turns_) {
            next_look_ = std::max(next_look_, calls_in_turns);
            calls_left_ = next_look_ - calls_;
        }
        if (calls_ == 1) {
            auto const save = seconds_ / mpi::sharing_cost::calls_to_come;
            ns_left_ = in_ns(may_take_turns_ ? std::max(save, calls_in_turns * saved_in_turns) : save);
        }
        are_sums_due_ = are_sums_due_ || elapsed == always;
        is_due_ = elapsed == always || (static_cast<double>(elapsed) * 1e-9 >= times_as_long * seconds_ &&
                                        (!may_take_turns_ || calls_ >= calls_in_turns));
        return is_due_;
    }

    static constexpr double times_as_long = 10;     // so that no program loses more than a tenth
    static constexpr double saved_in_turns = 1e-4;  // a broadcast of 4 KiB, 4 ranks on two processors, MPICH
    // Where ranks take turns, each message may wait for a processor: to set up 8 ranks on two took 1.6 s, as long as 70
    // calls (LULESH 2.0, -s 8 -i 25, MPICH 4.0, Intel Xeon, 2026-11-29).
    static constexpr std::int64_t calls_in_turns = 64;

    int ranks_;
    double seconds_;              // to set up
    std::int64_t calls_ = 0;      // at the last look
    std::int64_t next_look_ = 0;  // the same
    std::int64_t calls_left_ = 0;
    std::int64_t ns_left_ = 0;
    std::int64_t first_ = 0;       // ns, when the first of them began
    bool may_take_turns_ = false;  // there are more ranks than processors of rank 0
    bool is_due_ = false;
    bool are_sums_due_ = false;
};

}  // namespace tutti::preload
