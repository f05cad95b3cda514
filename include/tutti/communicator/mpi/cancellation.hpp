// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <thread>

#include <tutti/communicator/mpi/declarations.hpp>

#include <tutti/communicator/mpi/error.hpp>
#include <tutti/communicator/mpi/progress.hpp>
#include <tutti/communicator/mpi/running.hpp>

namespace tutti::mpi {

/// Receives a message that has been announced and throws it away; false if there is none. Its sender may be dead, or
/// busy: after a second it is left to MPI, with the memory that it needs, and `stalled` is its rank.
[[nodiscard, gnu::cold]] inline bool discard_message(MPI_Comm comm, int tag = MPI_ANY_TAG, int from = MPI_ANY_SOURCE,
                                                     int* stalled = nullptr) {
    constexpr double longest = 1;  // s
    int found = 0, bytes = 0;
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Status status;
    ensure("MPI_Improbe", MPI_Improbe(from, tag, comm, &found, &message, &status));
    if (found == 0) { return false; }
    ensure("MPI_Get_count", MPI_Get_count(&status, MPI_BYTE, &bytes));
    auto memory = std::make_unique<std::byte[]>(static_cast<std::size_t>(bytes));
    MPI_Request arriving = MPI_REQUEST_NULL;
    ensure("MPI_Imrecv", MPI_Imrecv(memory.get(), bytes, MPI_BYTE, &message, &arriving));
    auto const begun = MPI_Wtime();
    for (int ended = 0; ended == 0;) {
        ensure("MPI_Test", MPI_Test(&arriving, &ended, MPI_STATUS_IGNORE));
        if (ended != 0) { break; }
        if (MPI_Wtime() - begun > longest) {
            static_cast<void>(memory.release());
            MPI_Request_free(&arriving);
            if (stalled != nullptr) { *stalled = status.MPI_SOURCE; }
            break;
        }
        std::this_thread::yield();
    }
    return true;
}

/// Gives up requests after an error. MPI withdraws a receive that has not been matched. It cannot withdraw a send,
/// whose memory is read when a receiver asks for it: so this waits until the receiver has asked, to throw the message
/// away, or for three seconds. After that the send is left to MPI, and the caller has to tell receivers not to ask any
/// more.
class cancellation {
public:
    /// If the communicator has failed, meanwhile receives messages and throws them away: peers that give up too get rid
    /// of theirs while the memory of these still exists. `discard()` returns whether there was a message, and throws
    /// nothing. False if sends were left to MPI.
    template <class Discard>
    [[nodiscard]] bool give_up(std::span<request> requests, bool has_failed, Discard discard) noexcept {
        if (is_finalised()) { return true; }
        returned_errors const scope;
        for (auto& each : requests) {
            if (each.channel != nullptr) {
                each.channel->cancel(*each.shm.pending);
            } else if (each.mpi != MPI_REQUEST_NULL && !each.is_withdrawn()) {  // twice would be an error
                MPI_Cancel(&each.mpi);
            }
        }
        auto quiet_since = MPI_Wtime();
        for (auto before = requests.size();;) {
            bool const some_came = has_failed && discard();
            auto const left = count_active(requests);
            auto const now = MPI_Wtime();
            if (some_came || left != before) { quiet_since = now; }
            before = left;
            auto const quiet = now - quiet_since;
            if (quiet >= (left != 0 ? quiet_limit_ : has_failed ? after_all : 0)) { break; }
            std::this_thread::yield();
        }
        bool all_ended = true;
        for (auto& each : requests) {
            if (each.mpi == MPI_REQUEST_NULL) { continue; }
            all_ended = false;
            quiet_limit_ = shortest;
            MPI_Request_free(&each.mpi);
        }
        return all_ended;
    }

    /// From now on waits only briefly for receivers.
    void give_up_on_dead_rank() noexcept { quiet_limit_ = shortest; }

    /// After a recovery waits for receivers as long as at first.
    void recover() noexcept { quiet_limit_ = longest; }

private:
    static constexpr double longest = 3;        // s
    static constexpr double shortest = 0.25;  // s, once a rank has not received for `longest`
    static constexpr double after_all = 0.02;   // s in which nothing arrives: other ranks know of the failure

    [[nodiscard]] static std::size_t count_active(std::span<request> requests) {
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

    double quiet_limit_ = longest;
};

}  // namespace tutti::mpi
