// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <span>
#include <thread>

#include <tutti/communicator/mpi/declarations.hpp>

namespace tutti::mpi {

/// Whether the launcher has started more ranks on this machine than it has processors for them, so that a rank which
/// waits keeps others from running. Open MPI's launcher and Hydra, that of MPICH and its relatives, tell each rank how
/// many they are; of other launchers nothing is known. A question to MPI would be a collective call.
[[nodiscard]] inline bool ranks_take_turns() {
    for (auto const* const variable : {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"}) {
        if (auto const* const ranks = std::getenv(variable)) {
            return std::strtoul(ranks, nullptr, 10) > std::thread::hardware_concurrency();
        }
    }
    return false;
}

/// How many polls in vain a rank makes before it yields its processor between two polls. The time until it comes back
/// tells: few where it comes back soon, since ranks that wait themselves give it back; up to `most` where no other
/// process wants it, or where others keep it for milliseconds, other programs or ranks in an MPI that never yields.
class adaptive_spin {
public:
    adaptive_spin(std::size_t few, std::size_t most) : few_{few}, most_{most}, polls_{most} {}

    [[nodiscard]] bool ends(std::size_t polls) const { return polls >= polls_; }
    /// Whether others want the processor and give it back soon.
    [[nodiscard]] bool is_short() const { return polls_ == few_; }

    /// A wait begins.
    void grow() { polls_ = std::min(most_, polls_ + polls_ / 16 + 1); }

    void yield() {
        auto const begun = MPI_Wtime();
        std::this_thread::yield();
        auto const away = MPI_Wtime() - begun;
        if (away > yielded_in_vain) { polls_ = away < others_ran ? few_ : most_; }
    }

private:
    static constexpr double yielded_in_vain = 1.5e-6;  // s
    static constexpr double others_ran = 50e-6;

    std::size_t few_;
    std::size_t most_;
    std::size_t polls_;
};

/// How a rank waits that may have to yield its processor to the rank that it waits for. MPICH by itself never does.
class processor_yield {
public:
    explicit processor_yield(bool taken = ranks_take_turns()) : taken_{taken}, spin_{16, taken ? 16U : 500U} {}

    void yield_processor() const {
        if (taken_) { std::this_thread::yield(); }
    }

    /// MPI_Waitany, that lets others run when it has looked in vain for a while, and now and then calls `check_peers`,
    /// which may throw. In a simulation by SMPI, where a rank that looks again takes no time, it is MPI_Waitany.
    template <class CheckPeers>
    [[nodiscard]] int wait_for_any(std::span<MPI_Request> requests, int& index, MPI_Status& status,
                                   [[maybe_unused]] CheckPeers check_peers) {
        auto const count = static_cast<int>(requests.size());
#ifdef SMPI_SHARED_MALLOC
        return MPI_Waitany(count, requests.data(), &index, &status);
#else
        int ended = 0;
        double next = 0;  // s
        for (unsigned looks = 1;; ++looks) {
            int const code = MPI_Testany(count, requests.data(), &index, &ended, &status);
            if (ended != 0 || code != MPI_SUCCESS) { return code; }
            if (looks == 1) { spin_.grow(); }
            if (spin_.ends(looks)) { spin_.yield(); }
            if (looks % looks_between_times != 0) { continue; }
            auto const now = MPI_Wtime();
            if (next != 0 && now >= next) { check_peers(); }
            if (now >= next) { next = now + between_checks; }
        }
#endif
    }

private:
    static constexpr unsigned looks_between_times = 64;   // others may run for milliseconds after each of them
    static constexpr double between_checks = 0.5e-3;  // s

    bool taken_;
    adaptive_spin spin_;
};

}  // namespace tutti::mpi
