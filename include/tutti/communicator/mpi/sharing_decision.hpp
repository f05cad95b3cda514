// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>

#include <tutti/communicator/mpi/declarations.hpp>

#include <tutti/communicator/agreement.hpp>
#include <tutti/communicator/mpi/error.hpp>

namespace tutti::mpi {

/// When messages within nodes begin to go through memory: once the time that later calls are expected to save exceeds
/// the time to set the memory up. All ranks count the same calls, since when they last recovered, and agree on the
/// bytes.
class sharing_decision {
public:
    /// Seconds that a call whose vectors have `bytes` bytes is expected to save.
    [[nodiscard]] static double saved_by_call(std::size_t bytes) noexcept {
        return saved_per_call + saved_per_byte * static_cast<double>(bytes);
    }
    static constexpr double calls_to_come = 10;  ///< for each: programs make few collective calls or very many

    /// A call whose vectors have `bytes` bytes. True where all ranks have to agree.
    [[nodiscard]] bool count(std::size_t bytes) noexcept {
        saved_ += saved_by_call(bytes);
        return ++counted_ % between_looks == 0;
    }

    void forget() noexcept {
        saved_ = 0;
        counted_ = 0;
    }

    /// Whether it pays, and nothing is under way on any rank; by messages with this tag. Who takes part has not failed,
    /// and no rank fails in the call itself before all have agreed; but one whose time limit ends just before it is
    /// notified leaves the others, which set the memory up.
    /// `wait(request, peer)` waits for one message.
    template <class Wait>
    [[nodiscard]] bool agree(MPI_Comm own, int rank, int size, int tag, bool nothing_is_under_way, Wait wait) {
        constexpr double unit = 1e-9;  // s
        agreed_ = {static_cast<std::int64_t>(saved_ / unit), nothing_is_under_way ? 1 : 0};
        MPI_Request one = MPI_REQUEST_NULL;
        auto const send = [&](int peer, std::array<std::int64_t, 2> const& words) {
            ensure("MPI_Isend", MPI_Isend(words.data(), 2, MPI_INT64_T, peer, tag, own, &one));
            wait(one, peer);
        };
        auto const receive = [&](int peer, std::array<std::int64_t, 2>& into) {
            ensure("MPI_Irecv", MPI_Irecv(into.data(), 2, MPI_INT64_T, peer, tag, own, &one));
            wait(one, peer);
        };
        control::all_reduce({rank, size}, agreed_, theirs_, control::each_by(std::less{}), send, receive);
        return agreed_[1] != 0 &&
               calls_to_come * static_cast<double>(agreed_[0]) * unit >= setting_up_per_rank * size;
    }

private:
    // s; two ranks on two cores (AMD EPYC, 2026-11-25, `./dev bench collectives --ranks 2 --model default`,
    // TUTTI_SHARED_MEMORY=never and always): a reduce of 4 KiB takes 2.8 us by Open MPI 4.1 and 2.2 us through memory,
    // by MPICH 4.0 6.8 and 0.9 us; of 8 MiB 1332 and 1216, 2305 and 1782 us.
    // To set up takes 0.5 ms, 4 ranks 1.2 ms, 8 ranks on 2 cores 5 ms.
    static constexpr double saved_per_call = 1e-6;
    static constexpr double saved_per_byte = 2e-11;
    static constexpr double setting_up_per_rank = 0.3e-3;
    static constexpr std::size_t between_looks = 64;

    double saved_ = 0;  // s
    std::size_t counted_ = 0;
    std::array<std::int64_t, 2> agreed_{};  // that much is saved, and nothing is under way
    std::array<std::int64_t, 2> theirs_{};
};

}  // namespace tutti::mpi
