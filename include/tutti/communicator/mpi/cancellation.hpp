// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include <tutti/communicator/mpi/declarations.hpp>

#include <tutti/communicator/mpi/request.hpp>
#include <tutti/communicator/mpi/returned_errors.hpp>
#include <tutti/communicator/mpi/running.hpp>
#include <tutti/communicator/mpi/yield.hpp>

namespace tutti::mpi {

/// Gives up requests after an error. MPI withdraws a receive that has not been matched. A send it cannot withdraw: its
/// memory is read when a receiver asks for it, so that this waits until the receiver does, to throw the message away,
/// or has not for three seconds; then it is left to MPI, and the receivers are to be told that they must not ask any
/// more.
class cancellation {
public:
    /// With a tag, meanwhile receives what comes with it, and throws it away: peers that give up too get rid of their
    /// messages while the memory of those is still there. `discard(tag)` says whether there was one, and throws
    /// nothing. False if sends were left to MPI.
    template <class Discard>
    [[nodiscard]] bool give_up(std::span<request> requests, std::optional<int> tag, processor_yield const& waiting,
                               Discard discard) noexcept {
        if (is_finalised()) { return true; }
        returned_errors const scope;
        for (auto& each : requests) {
            if (each.channel != nullptr) {
                each.channel->cancel(*each.shm.pending);
            } else if (each.mpi != MPI_REQUEST_NULL) {
                MPI_Cancel(&each.mpi);
            }
        }
        auto quiet_since = MPI_Wtime();
        for (auto before = requests.size();;) {
            bool const some_came = tag && discard(*tag);
            auto const left = those_left(requests);
            auto const now = MPI_Wtime();
            if (some_came || left != before) { quiet_since = now; }
            before = left;
            auto const quiet = now - quiet_since;
            if (quiet >= (left != 0 ? backoff_ : tag ? after_all : 0)) { break; }
            waiting.yield_processor();
        }
        bool all_ended = true;
        for (auto& each : requests) {
            if (each.mpi == MPI_REQUEST_NULL) { continue; }
            all_ended = false;
            backoff_ = impatience;
            MPI_Request_free(&each.mpi);
        }
        return all_ended;
    }

    /// Receivers that are known to be gone ask for nothing.
    void despair() noexcept { backoff_ = impatience; }

    /// Others fail anew.
    void recover() noexcept { backoff_ = longest; }

private:
    static constexpr double longest = 3;        // s
    static constexpr double impatience = 0.25;  // s, once a rank has not received for so long
    static constexpr double after_all = 0.02;   // s in which nothing comes: others have heard of the failure

    [[nodiscard]] static std::size_t those_left(std::span<request> requests) {
        std::size_t result = 0;
        for (auto& each : requests) {
            int ended = 0;
            if (each.mpi == MPI_REQUEST_NULL) { continue; }
            bool const failed = MPI_Test(&each.mpi, &ended, MPI_STATUS_IGNORE) != MPI_SUCCESS;
            if (!failed && ended == 0) { ++result; }
            if (failed) { each.mpi = MPI_REQUEST_NULL; }
        }
        return result;
    }

    double backoff_ = longest;
};

}  // namespace tutti::mpi
