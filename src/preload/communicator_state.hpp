// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <deque>
#include <exception>
#include <memory>
#include <utility>

#include <pmpi/ranks.hpp>
#include <preload/call_entry.hpp>
#include <preload/mpi_operator.hpp>
#include <preload/startup_check.hpp>
#include <preload/warm_up.hpp>
#include <tutti/communicator/mpi/agreement.hpp>
#include <tutti/communicator/mpi/declarations.hpp>
#include <tutti/mpi.hpp>

namespace tutti::preload {

/// All that decides who performs the calls of a communicator. It changes only in calls of that communicator, which all
/// its ranks make in the same order, so it is the same on all of them.
class communicator_state {
public:
    enum class private_one : unsigned char { none_yet, made, refused };

    /// Null if MPI keeps nothing with a communicator, as of MPI_COMM_NULL.
    [[nodiscard]] static communicator_state* find_or_make(MPI_Comm comm) {
        if (comm == MPI_COMM_NULL) { return nullptr; }
        try {
            auto& one = mpi::duplicates::attached_to(comm).things.get<std::unique_ptr<communicator_state>>();
            if (one == nullptr) { one.reset(new communicator_state{comm}); }
            return one.get();
        } catch (std::exception const&) { return nullptr; }
    }
    communicator_state(communicator_state const&) = delete;
    communicator_state& operator=(communicator_state const&) = delete;

    /// Called after MPI_Init: takes what MPI may have none of later.
    static void begin() {
        try {
            mpi::duplicates::prepare();
        } catch (std::exception const&) {}  // then it has no private communicator
        static_cast<void>(alone());
    }

    /// Number of ranks; 0 if tutti performs no call of the communicator: it has one rank, is an intercommunicator, or
    /// has ranks of another MPI_COMM_WORLD, which `startup_check` has not compared.
    [[nodiscard]] int ranks() const { return ranks_; }
    [[nodiscard]] bool is_due(operator_kind op) const { return warm_up_.is_due(gives_same_bits(op, ranks_)); }
    [[nodiscard]] private_one state_of_private_one() const { return private_one_; }
    [[nodiscard]] mpi::communicator& own() const { return communicator_of<MPI_Comm>::get(comm_); }

    enum class devices : unsigned char { unknown, none, possible, in_use };
    /// Whether a rank used a device when all looked: MPI reads its memory, and tutti would have to copy it.
    [[nodiscard]] devices uses_devices() const { return devices_; }

    /// The entry of calls of a kind. Kinds beyond the first `most_entries` share one, which is never settled.
    [[nodiscard]] call_entry& entry_of(call_kind const& kind) {
        for (auto& each : entries_) {
            if (each.kind == kind) { return each; }
        }
        if (entries_.size() < most_entries) { return entries_.emplace_back(call_entry{kind, this}); }
        last_ = {kind, this};
        return last_;
    }
    [[nodiscard]] bool keeps(call_entry const& one) const { return &one != &last_; }

    /// Leaves the next calls of an entry to MPI: each has nothing to do but to count, if it waits for warm-up.
    void leave_to_mpi(call_entry& one) {
        bool const waits = one.who == decision::too_few_calls;
        bool const same = gives_same_bits(one.kind.op, ranks_);
        one.left = waits ? &warm_up_.left(same) : nullptr;
        one.takes = waits ? warm_up_.taken_by(same, one.kind.bytes) : 0;
        one.is_left_to_mpi = true;
    }

    /// Counts a call during warm-up; returns whether that is over. All ranks call.
    [[nodiscard]] bool count(call_kind const& kind) {
        if (!warm_up_.count(gives_same_bits(kind.op, ranks_), kind.bytes, comm_)) { return false; }
        unsettle();
        return true;
    }

    /// Makes the private communicator; false if a rank cannot have one (MPICH has 2048 in a process): then MPI performs
    /// all later calls. All ranks call.
    bool make_private_one() {
        bool made = false;
        try {
            made = mpi::on_all(comm_, are_left()) && mpi::on_all(comm_, makes_one());
        } catch (std::exception const&) {}  // then MPI's own call fails as well
        private_one_ = made ? private_one::made : private_one::refused;
        if (!made) { explain(); }
        unsettle();
        return made;
    }

    /// All ranks call.
    void look_for_devices() {
        bool const may = mpi::device_memory::mpi_takes_it();
        auto const here = !may ? devices::none : mpi::device_memory::is_in_use() ? devices::in_use : devices::possible;
        auto most = static_cast<int>(here);
        mpi::ensure("MPI_Allreduce", PMPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_INT, MPI_MAX, comm_));
        devices_ = static_cast<devices>(most);
        unsettle();
    }

    /// Shares memory from now on, where that can be had. All ranks call.
    void share_memory() {
        own().begin_sharing();
        unsettle();
    }

    /// Counts a kind for which there are trials; false if there are too many.
    [[nodiscard]] bool count_tried_kind() {
        if (tried_ == most_tried) { return false; }
        ++tried_;
        return true;
    }

private:
    static constexpr std::size_t most_entries = 256;  // kinds of calls of a communicator
    static constexpr std::size_t most_tried = 64;     // of these
    static constexpr std::size_t most_private = 256;  // private communicators: the others are the program's
    static constexpr std::size_t needed = 4;          // of MPI's, while one is made and shares memory

    explicit communicator_state(MPI_Comm comm) : comm_{comm}, ranks_{ranks_of(comm)}, warm_up_{ranks_} {}

    [[nodiscard]] static int ranks_of(MPI_Comm comm) {
        int inter = 0, size = 0;
        if (PMPI_Comm_test_inter(comm, &inter) != MPI_SUCCESS || inter != 0) { return 0; }
        if (PMPI_Comm_size(comm, &size) != MPI_SUCCESS || size < 2) { return 0; }
        if (comm == MPI_COMM_WORLD) { return size; }
        auto const in_world = world_ranks(comm);
        return std::find(in_world.begin(), in_world.end(), MPI_UNDEFINED) == in_world.end() ? size : 0;
    }

    void unsettle() {
        for (auto& each : entries_) { each.is_settled = each.is_left_to_mpi = false; }
    }

    /// Whether MPI has communicators left on this rank. Asked by duplicates of one that returns errors: on the
    /// program's an error may be fatal.
    [[nodiscard]] static bool are_left() {
        if (mpi::communicator::alive() >= most_private) { return false; }
        try {
            mpi::duplicates::prepare();
        } catch (std::exception const&) { return false; }
        if (alone() == MPI_COMM_NULL) { return true; }
        std::array<MPI_Comm, needed> some{};
        some.fill(MPI_COMM_NULL);
        bool const found = std::all_of(some.begin(), some.end(), [](MPI_Comm& each) {
            return PMPI_Comm_dup(alone(), &each) == MPI_SUCCESS;
        });
        for (auto& each : some) {
            if (each != MPI_COMM_NULL) { PMPI_Comm_free(&each); }
        }
        return found;
    }

    [[nodiscard]] bool makes_one() const {
        try {
            static_cast<void>(own());
            return true;
        } catch (std::exception const&) { return false; }
    }

    static void explain() {
        static bool is_explained = false;
        if (rank_of(MPI_COMM_WORLD) != 0 || std::exchange(is_explained, true)) { return; }
        std::fprintf(stderr,
                     "tutti: a rank gets no more communicators of MPI, or %zu are used, so MPI performs the calls of "
                     "others; free those that the program needs no more\n",
                     most_private);
    }

    MPI_Comm comm_;
    int ranks_;
    warm_up warm_up_;
    private_one private_one_ = private_one::none_yet;
    devices devices_ = devices::unknown;
    std::deque<call_entry> entries_;  // which keep their addresses
    call_entry last_{};
    std::size_t tried_ = 0;
};

/// Ranks of a communicator whose calls tutti may perform, or 0.
[[nodiscard]] inline int ranks_of(MPI_Comm comm) {
    auto const* const known = communicator_state::find_or_make(comm);
    return known != nullptr ? known->ranks() : 0;
}

}  // namespace tutti::preload
