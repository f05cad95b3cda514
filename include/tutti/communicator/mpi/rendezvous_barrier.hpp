// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <array>
#include <memory>

#include <tutti/communicator/mpi/declarations.hpp>

#include <tutti/communicator/mpi/error.hpp>

namespace tutti::mpi {

/// A nonblocking barrier that a rank enters after its last collective on a communicator. A rank that waits in it goes
/// on answering those that still wait in a collective, which would else never enter it.
class rendezvous_barrier {
public:
    /// The function in which a rank enters it: `tutti::recover`, or MPI_Comm_free and MPI_Finalize.
    enum class entered_by : int { recover = 1, comm_free = 2 };

    rendezvous_barrier(MPI_Comm comm, entered_by function, bool is_sound) : state_{std::make_unique<state>()} {
        auto const number = static_cast<int>(function);
        state_->own = {number, -number, is_sound ? 0 : 1};
        ensure("MPI_Iallreduce", MPI_Iallreduce(state_->own.data(), state_->greatest.data(), numbers, MPI_INT, MPI_MAX,
                                                comm, &state_->request));
    }
    rendezvous_barrier(rendezvous_barrier&&) noexcept = default;
    rendezvous_barrier& operator=(rendezvous_barrier&&) = delete;
    /// If it has not completed, its memory stays with MPI.
    ~rendezvous_barrier() {
        if (state_ != nullptr && state_->request != MPI_REQUEST_NULL) { static_cast<void>(state_.release()); }
    }

    /// Whether all ranks have entered. Then the following functions may be called, with the same result on all ranks.
    [[nodiscard]] bool test() {
        returned_errors const scope;
        int ended = 0;
        ensure("MPI_Test", MPI_Test(&state_->request, &ended, MPI_STATUS_IGNORE));
        return ended != 0;
    }
    [[nodiscard]] bool all_entered_alike() const { return state_->greatest[0] == -state_->greatest[1]; }
    [[nodiscard]] bool all_are_sound() const { return state_->greatest[2] == 0; }

private:
    static constexpr int numbers = 3;

    struct state {
        std::array<int, numbers> own{};
        std::array<int, numbers> greatest{};
        MPI_Request request = MPI_REQUEST_NULL;
    };

    std::unique_ptr<state> state_;
};

}  // namespace tutti::mpi
