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

    /// Counts a call of `bytes` bytes that MPI performs; returns whether tutti performs the next one. All ranks call.
    [[nodiscard, gnu::always_inline]] bool count(bool gives_same_bits, std::size_t bytes, MPI_Comm comm) {
        return gives_same_bits ? ++calls_ == next_look_ && agree(comm) : count_sum(bytes, comm);
    }

private:
    [[nodiscard]] bool count_sum(std::size_t bytes, MPI_Comm comm) {
        if (calls_ == 0) {
            ++calls_;
            static_cast<void>(agree(comm));
            if (are_sums_due_) { return true; }
        }
        ++sums_;
        saved_ += may_take_turns_ ? saved_in_turns : mpi::sharing_cost::saved_by_call(bytes);
        are_sums_due_ = mpi::sharing_cost::pays(saved_, seconds_) && are_enough(sums_);
        is_due_ = is_due_ || are_sums_due_;
        return are_sums_due_;
    }

    /// Rank 0 decides by its clock and its processors, and broadcasts by MPI: there is no private communicator yet. A
    /// program's first all_reduce by MPICH takes 0.18 ms, a broadcast 3 us (4.0, 2 ranks, Intel Xeon, 2026-11-29).
    [[nodiscard, gnu::cold, gnu::noinline]] bool agree(MPI_Comm comm) {
        constexpr auto always = std::numeric_limits<std::int64_t>::max();
        auto const now = mpi::communicator::now();
        if (calls_ == 1) { first_ = now; }
        next_look_ = 2 * calls_;
        bool const is_wanted = calls_ == 1 && mpi::environment::sharing() == memory_sharing::always;
        std::int64_t processors = 0;
        for (auto const word : mpi::own_processors()) { processors += std::popcount(word); }
        std::array of_rank_0{is_wanted ? always : now - first_, processors};
        if (PMPI_Bcast(of_rank_0.data(), 2, MPI_INT64_T, 0, comm) != MPI_SUCCESS) { return false; }
        auto const elapsed = of_rank_0[0];  // ns
        may_take_turns_ = ranks_ > of_rank_0[1];
        if (may_take_turns_) { next_look_ = std::max(next_look_, calls_in_turns); }
        are_sums_due_ = are_sums_due_ || elapsed == always;
        is_due_ = elapsed == always ||
                  (static_cast<double>(elapsed) * 1e-9 >= times_as_long * seconds_ && are_enough(calls_));
        return is_due_;
    }

    [[nodiscard]] bool are_enough(std::size_t calls) const { return !may_take_turns_ || calls >= calls_in_turns; }

    static constexpr double times_as_long = 10;     // so that no program loses more than a tenth
    static constexpr double saved_in_turns = 1e-4;  // a broadcast of 4 KiB, 4 ranks on two processors, MPICH
    // Where ranks take turns, each message may wait for a processor: to set up 8 ranks on two took 1.6 s, as long as 70
    // calls (LULESH 2.0, -s 8 -i 25, MPICH 4.0, Intel Xeon, 2026-11-29).
    static constexpr std::size_t calls_in_turns = 64;

    int ranks_;
    double seconds_;  // to set up
    std::size_t calls_ = 0;
    std::size_t next_look_ = 1;
    std::int64_t first_ = 0;       // ns, when the first of them began
    std::size_t sums_ = 0;
    double saved_ = 0;             // s
    bool may_take_turns_ = false;  // there are more ranks than processors of rank 0
    bool is_due_ = false;
    bool are_sums_due_ = false;
};

}  // namespace tutti::preload
