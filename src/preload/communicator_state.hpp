// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <deque>
#include <exception>
#include <memory>

#include <pmpi/ranks.hpp>
#include <preload/call_entry.hpp>
#include <preload/mpi_operator.hpp>
#include <preload/roll_call.hpp>
#include <preload/warm_up.hpp>
#include <tutti/communicator/mpi/agreement.hpp>
#include <tutti/communicator/mpi/declarations.hpp>
#include <tutti/mpi.hpp>

namespace tutti::preload {

/// What is known of a communicator of the program's, until that ends. Whatever decides who performs its calls is here,
/// and changes only in calls of this communicator, which all its ranks make in the same order: it is the same on all of
/// them, whichever threads call from wherever, and whatever else a rank has or does.
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

    /// After MPI_Init: what a rank may have none of later.
    static void begin() {
        try {
            mpi::duplicates::prepare();
        } catch (std::exception const&) {}  // then it has no private communicator
        static_cast<void>(alone());
    }

    /// Ranks of an intracommunicator of several, all of this MPI_COMM_WORLD, which `roll_call` has asked (others, that
    /// were spawned or connected, may have no library, or another one); else 0.
    [[nodiscard]] int ranks() const { return ranks_; }
    [[nodiscard]] bool is_due(operator_kind op) const { return warm_up_.is_due(gives_same_bits(op, ranks_)); }
    [[nodiscard]] private_one state_of_private_one() const { return private_one_; }
    [[nodiscard]] mpi::communicator& own() const { return communicator_of<MPI_Comm>::get(comm_); }

    enum class devices : unsigned char { unknown, none, possible, in_use };
    /// Whether a rank used a device, whose memory MPI takes and tutti would have to copy, when all looked.
    [[nodiscard]] devices uses_devices() const { return devices_; }

    /// The entry of calls of a kind. Further kinds than `most_entries` share one, which is not settled.
    [[nodiscard]] call_entry& entry_of(call_kind const& kind) {
        for (auto& each : entries_) {
            if (each.kind == kind) { return each; }
        }
        if (entries_.size() < most_entries) { return entries_.emplace_back(call_entry{kind, this}); }
        last_ = {kind, this};
        return last_;
    }
    [[nodiscard]] bool keeps(call_entry const& one) const { return &one != &last_; }

    /// Counts a call that comes before tutti performs such; returns whether it does from now on. All ranks call.
    [[nodiscard, gnu::always_inline]] bool count(call_kind const& kind) {
        if (!warm_up_.count(gives_same_bits(kind.op, ranks_), kind.bytes, comm_)) { return false; }
        unsettle();
        return true;
    }

    /// Makes the private communicator; returns whether there is one. If a rank cannot have it, since MPI has too few
    /// (MPICH 2048 in a process), MPI performs all later calls. All ranks call.
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

    /// Finds out whether a rank uses a device. All ranks call.
    void look_for_devices() {
        bool const may = mpi::device_memory::mpi_takes_it();
        auto const here = !may ? devices::none : mpi::device_memory::is_in_use() ? devices::in_use : devices::possible;
        auto most = static_cast<int>(here);
        mpi::ensure("MPI_Allreduce", PMPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_INT, MPI_MAX, comm_));
        devices_ = static_cast<devices>(most);
        unsettle();
    }

    /// Begins to share memory, if the ranks can. All of them call.
    void share_memory() {
        own().begin_sharing();
        unsettle();
    }

    /// Counts a kind of calls of which times are to decide; false if there are too many.
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
        for (auto& each : entries_) { each.is_settled = false; }
    }

    /// Whether MPI has communicators left on this rank: asked of one whose errors are returned, since those of the
    /// program's may end it.
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
        static bool is_said = false;
        int rank = 0;
        PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
        if (rank != 0 || is_said) { return; }
        is_said = true;
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
