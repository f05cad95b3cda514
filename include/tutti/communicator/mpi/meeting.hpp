// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <memory>

#include <tutti/communicator/mpi/declarations.hpp>

#include <tutti/communicator/mpi/error.hpp>

namespace tutti::mpi {

/// All ranks of a communicator meet, none of them in a collective any more. Nothing blocks: who has come to the meeting
/// goes on answering those that still wait in a call, or they would never come.
class meeting {
public:
    /// What a rank comes for.
    enum class purpose : int { recovery = 1, farewell = 2 };

    meeting(MPI_Comm comm, purpose why, bool is_sound) : state_{std::make_unique<state>()} {
        auto const asked_for = static_cast<int>(why);
        state_->said = {asked_for, -asked_for, is_sound ? 0 : 1};
        ensure("MPI_Iallreduce", MPI_Iallreduce(state_->said.data(), state_->agreed.data(), numbers, MPI_INT, MPI_MAX,
                                                comm, &state_->request));
    }
    meeting(meeting&&) noexcept = default;
    meeting& operator=(meeting&&) = delete;
    /// MPI keeps the memory of a meeting that has not ended.
    ~meeting() {
        if (state_ != nullptr && state_->request != MPI_REQUEST_NULL) { static_cast<void>(state_.release()); }
    }

    /// Asks MPI whether all ranks have come. What follows is known then, and the same on all ranks.
    [[nodiscard]] bool test() {
        returned_errors const scope;
        int ended = 0;
        ensure("MPI_Test", MPI_Test(&state_->request, &ended, MPI_STATUS_IGNORE));
        return ended != 0;
    }
    [[nodiscard]] bool has_one_purpose() const { return state_->agreed[0] == -state_->agreed[1]; }
    [[nodiscard]] bool all_are_sound() const { return state_->agreed[2] == 0; }

private:
    static constexpr int numbers = 3;

    struct state {
        std::array<int, numbers> said{};
        std::array<int, numbers> agreed{};
        MPI_Request request = MPI_REQUEST_NULL;
    };

    std::unique_ptr<state> state_;
};

}  // namespace tutti::mpi
