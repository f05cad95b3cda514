// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <memory>

#include <tutti/accelerator/roll_call.hpp>
#include <tutti/accelerator/set_up_decision.hpp>
#include <tutti/accelerator/world_ranks.hpp>
#include <tutti/communicator/mpi/agreement.hpp>
#include <tutti/communicator/mpi/declarations.hpp>
#include <tutti/mpi.hpp>

namespace tutti::accelerator {

/// Whether tutti may perform calls of a communicator: known by its attribute.
class standing {
public:
    /// Whether all processes of a communicator are of this MPI_COMM_WORLD, which `roll_call` has asked; others, that
    /// were spawned or connected, may have no library, or another one.
    [[nodiscard]] static bool is_of_this_world(MPI_Comm comm) {
        if (auto const* const known = of(comm)) { return known->what != kind::foreign; }
        bool const is = comm == MPI_COMM_WORLD || are_of_this_world(comm);
        note(comm, is ? kind::of_this_world : kind::foreign);
        return is;
    }

    /// Whether a communicator has its private one, which it gets at the first time: all ranks have to ask then. If one
    /// is not to be had on all ranks, since MPI has but so many (MPICH 2048 in a process), MPI performs its calls for
    /// good.
    [[nodiscard]] static bool has_own(MPI_Comm comm) {
        auto const* const known = of(comm);
        auto const what = known != nullptr ? known->what : kind::unknown;
        if (what == kind::has_own || what == kind::left) { return what == kind::has_own; }
        bool found = false;
        try {
            found = mpi::on_all(comm, are_left()) && mpi::on_all(comm, makes_one(comm));
        } catch (std::exception const&) {}  // then MPI's own call fails as well
        note(comm, found ? kind::has_own : kind::left);
        if (!found) { explain(); }
        return found;
    }

    /// Whether it has one already.
    [[nodiscard]] static bool has_own_by_now(MPI_Comm comm) {
        auto const* const known = of(comm);
        return known != nullptr && known->what == kind::has_own;
    }

    /// Of a communicator of which `is_of_this_world` has been asked; null if MPI keeps no attribute.
    [[nodiscard]] static set_up_decision* set_up_of(MPI_Comm comm) {
        auto* const known = of(comm);
        return known != nullptr ? &known->set_up : nullptr;
    }

    /// How many communicators have ended of which something was known.
    [[nodiscard]] static unsigned ended() noexcept { return ended_.load(std::memory_order_acquire); }

    /// After MPI_Init and before MPI_Finalize.
    static void begin() {
        if (PMPI_Comm_dup(MPI_COMM_SELF, &self_) == MPI_SUCCESS) { PMPI_Comm_set_errhandler(self_, MPI_ERRORS_RETURN); }
    }
    static void end() {
        if (self_ != MPI_COMM_NULL) { PMPI_Comm_free(&self_); }
    }

private:
    enum class kind { unknown, foreign, of_this_world, has_own, left };

    static constexpr std::size_t most = 256;    // private communicators: the others are the program's
    static constexpr std::size_t needed = 4;    // of MPI's, while one is made and shares memory

    struct attribute {
        kind what;
        set_up_decision set_up;
    };

    static int end_attribute(MPI_Comm, int, void* known, void*) noexcept {
        delete static_cast<attribute*>(known);
        ended_.fetch_add(1, std::memory_order_release);
        return MPI_SUCCESS;
    }

    [[nodiscard]] static int key() {
        static int const made = [] {
            int result = MPI_KEYVAL_INVALID;
            PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, end_attribute, &result, nullptr);
            return result;
        }();
        return made;
    }

    [[nodiscard]] static attribute* of(MPI_Comm comm) {
        attribute* known = nullptr;
        int is_known = 0;
        PMPI_Comm_get_attr(comm, key(), static_cast<void*>(&known), &is_known);
        return is_known != 0 ? known : nullptr;
    }
    static void note(MPI_Comm comm, kind what) {
        if (auto* const known = of(comm)) {
            known->what = what;
            return;
        }
        int ranks = 0;
        PMPI_Comm_size(comm, &ranks);
        auto made = std::make_unique<attribute>(attribute{what, set_up_decision{ranks}});
        if (PMPI_Comm_set_attr(comm, key(), made.get()) == MPI_SUCCESS) { static_cast<void>(made.release()); }
    }

    [[nodiscard]] static bool are_of_this_world(MPI_Comm comm) {
        auto const in_world = world_ranks(comm);
        return std::find(in_world.begin(), in_world.end(), MPI_UNDEFINED) == in_world.end();
    }

    /// Whether MPI has communicators left on this rank: asked of one whose errors are returned, since those of the
    /// program's may end it.
    [[nodiscard]] static bool are_left() {
        if (mpi::communicator::alive() >= most) { return false; }
        try {
            mpi::duplicates::prepare();
        } catch (std::exception const&) { return false; }
        if (self_ == MPI_COMM_NULL) { return true; }
        std::array<MPI_Comm, needed> some{};
        some.fill(MPI_COMM_NULL);
        bool const found = std::all_of(some.begin(), some.end(), [](MPI_Comm& each) {
            return PMPI_Comm_dup(self_, &each) == MPI_SUCCESS;
        });
        for (auto& each : some) {
            if (each != MPI_COMM_NULL) { PMPI_Comm_free(&each); }
        }
        return found;
    }

    [[nodiscard]] static bool makes_one(MPI_Comm comm) {
        try {
            static_cast<void>(communicator_of<MPI_Comm>::get(comm));
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
                     most);
    }

    inline static MPI_Comm self_ = MPI_COMM_NULL;
    inline static std::atomic<unsigned> ended_{0};
};

}  // namespace tutti::accelerator
