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

/// What the ranks of a node pay to share memory, and what that is expected to save, in seconds. Measured by two ranks
/// on two processors: doc/constants.md has machine and date of each. Ranks that take turns on processors pay more.
struct sharing_cost {
    static constexpr double memory_per_rank = 0.3e-3;        ///< memory of a communicator that is tutti's own
    static constexpr double communicator = 1e-3;             ///< that memory, and the communicator
    static constexpr double communicator_per_rank = 1e-3;
    static constexpr double saved_per_call = 1e-6;
    static constexpr double saved_per_byte = 2e-11;
    static constexpr double calls_to_come = 10;  ///< for each: programs make few collective calls or very many

    [[nodiscard]] static constexpr double of_memory(int ranks) noexcept { return memory_per_rank * ranks; }
    [[nodiscard]] static constexpr double of_communicator(int ranks) noexcept {
        return communicator + communicator_per_rank * ranks;
    }
    /// By a call whose vectors have `bytes` bytes.
    [[nodiscard]] static constexpr double saved_by_call(std::size_t bytes) noexcept {
        return saved_per_call + saved_per_byte * static_cast<double>(bytes);
    }
    /// Whether it pays after calls that would have saved `saved`.
    [[nodiscard]] static constexpr bool pays(double saved, double cost) noexcept {
        return calls_to_come * saved >= cost;
    }
};

/// When messages within nodes begin to go through memory: once the time that later calls are expected to save exceeds
/// the time to set the memory up. All ranks count the same calls, since when they last recovered, and agree on the
/// bytes.
class sharing_decision {
public:
    /// A call whose vectors have `bytes` bytes. True where all ranks have to agree.
    [[nodiscard]] bool count(std::size_t bytes) noexcept {
        saved_ += sharing_cost::saved_by_call(bytes);
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
               sharing_cost::pays(static_cast<double>(agreed_[0]) * unit, sharing_cost::of_memory(size));
    }

private:
    static constexpr std::size_t between_looks = 64;

    double saved_ = 0;  // s
    std::size_t counted_ = 0;
    std::array<std::int64_t, 2> agreed_{};  // that much is saved, and nothing is under way
    std::array<std::int64_t, 2> theirs_{};
};

}  // namespace tutti::mpi
