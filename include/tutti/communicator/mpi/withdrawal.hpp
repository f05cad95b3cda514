// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>
#include <span>

#include <tutti/communicator/mpi/declarations.hpp>

#include <tutti/communicator/mpi/request.hpp>
#include <tutti/communicator/mpi/returned_errors.hpp>
#include <tutti/communicator/mpi/running.hpp>
#include <tutti/communicator/mpi/settle.hpp>
#include <tutti/communicator/mpi/turns.hpp>

namespace tutti::mpi {

/// Gives up requests after an error. MPI withdraws a receive that has not been matched; what it cannot withdraw ends by
/// itself or, once a second has gone by in vain for all that is given up together, is left to MPI: memory that a peer
/// never asked for.
class withdrawal {
public:
    /// With a tag, meanwhile receives what comes on `comm` with it, and throws it away: peers that give up too get rid
    /// of their messages while the memory of those is still there.
    [[gnu::cold]] void give_up(std::span<request> requests, MPI_Comm comm, std::optional<int> tag,
                               turns const& waiting) noexcept {
        if (is_finalised()) { return; }
        returned_errors const scope;
        for (auto& each : requests) {
            if (each.through != nullptr) {
                each.through->cancel(*each.near.pending);
            } else if (each.far != MPI_REQUEST_NULL) {
                MPI_Cancel(&each.far);
            }
        }
        auto const start = std::chrono::steady_clock::now();
        auto waited = std::chrono::steady_clock::duration{};
        while (true) {
            bool const some_came = tag && discarded_one(comm, *tag);
            if ((none_left(requests) && !some_came) || waited >= patience_) { break; }
            waiting.let_others_run();
            waited = std::chrono::steady_clock::now() - start;
        }
        patience_ -= std::min(patience_, waited);
        for (auto& each : requests) {
            if (each.far != MPI_REQUEST_NULL) { MPI_Request_free(&each.far); }
        }
    }

    /// Others fail anew.
    void recover() noexcept { patience_ = longest; }

private:
    static constexpr std::chrono::steady_clock::duration longest = std::chrono::seconds{1};

    [[nodiscard]] static bool none_left(std::span<request> requests) {
        bool none = true;
        for (auto& each : requests) {
            int ended = 0;
            if (each.far == MPI_REQUEST_NULL) { continue; }
            bool const failed = MPI_Test(&each.far, &ended, MPI_STATUS_IGNORE) != MPI_SUCCESS;
            none = none && (failed || ended != 0);
        }
        return none;
    }

    [[nodiscard]] static bool discarded_one(MPI_Comm comm, int tag) noexcept {
        try {
            return forget_a_message(comm, tag);
        } catch (...) {  // no memory for it: it stays where it is
            return false;
        }
    }

    std::chrono::steady_clock::duration patience_ = longest;
};

}  // namespace tutti::mpi
