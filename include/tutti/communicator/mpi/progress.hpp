// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <span>
#include <stdexcept>
#include <thread>
#include <utility>

#include <tutti/communicator/mpi/declarations.hpp>

#include <tutti/communicator.hpp>
#include <tutti/communicator/backoff.hpp>
#include <tutti/communicator/mpi/error.hpp>
#include <tutti/communicator/mpi/running.hpp>
#include <tutti/communicator/mpi/shared_memory/endpoint.hpp>
#include <tutti/dynamic_array.hpp>

namespace tutti::mpi {

/// Whether the launcher has started more ranks on this machine than it has processors for them, so that a rank which
/// waits keeps others from running. Open MPI's launcher and Hydra, which MPICH and its relatives have, tell each rank
/// how many they are; of other launchers nothing is known. A question to MPI would be a collective call.
[[nodiscard]] inline bool ranks_take_turns() {
    for (auto const* const variable : {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"}) {
        if (auto const* const ranks = std::getenv(variable)) {
            return std::strtoul(ranks, nullptr, 10) > std::thread::hardware_concurrency();
        }
    }
    return false;
}

/// How a rank waits that looks by MPI, which by itself may never yield (MPICH).
[[nodiscard]] inline control::backoff::limits limits_of_looks(bool take_turns = ranks_take_turns()) {
    return {.few = 16, .most = take_turns ? 16U : 500U};
}

/// MPI_Waitany, that lets others run when it has looked without success for a while, and now and then calls
/// `check_peers`, which may throw. In a simulation it is MPI_Waitany.
template <class CheckPeers>
[[nodiscard]] int wait_any([[maybe_unused]] control::backoff& how, std::span<MPI_Request> requests, int& index,
                           MPI_Status& status, [[maybe_unused]] CheckPeers check_peers) {
    auto const count = static_cast<int>(requests.size());
    if constexpr (is_smpi) { return MPI_Waitany(count, requests.data(), &index, &status); }
    constexpr unsigned looks_between_times = 64;  // others may run for milliseconds after each of them
    constexpr double between_checks = 0.5e-3;     // s
    int ended = 0;
    double next = 0;  // s
    for (unsigned looks = 1;; ++looks) {
        int const code = MPI_Testany(count, requests.data(), &index, &ended, &status);
        if (ended != 0 || code != MPI_SUCCESS) { return code; }
        if (looks == 1) { how.begin(); }
        static_cast<void>(how.next());
        if (looks % looks_between_times != 0) { continue; }
        auto const now = MPI_Wtime();
        if (next != 0 && now >= next) { check_peers(); }
        if (now >= next) { next = now + between_checks; }
    }
}

/// A message under way: one of MPI's, or one through shared memory.
struct request {
    MPI_Request mpi = MPI_REQUEST_NULL;
    node::request shm{};
    node::endpoint* channel = nullptr;
    // of a receive of MPI's whose tag has the length in it
    MPI_Comm comm = MPI_COMM_NULL;
    int from = MPI_PROC_NULL;
    int tag = 0;  // MPI_ANY_TAG once it has been withdrawn, see `length_mismatch`

    [[nodiscard]] bool is_withdrawn() const { return tag == MPI_ANY_TAG; }
    /// The error of its completion.
    static constexpr int withdrawn = MPI_ERR_LASTCODE - 1;

    friend bool operator==(request const&, request const&) = default;
};

/// Tests and waits for messages of any communicators, MPI's own and those through shared memory together.
class mpi_progress {
public:
    /// Has room for this many requests: the first calls through memory may wait for none, and later ones allocate
    /// nothing.
    void expect(std::size_t requests) {
        if (indices_.size() >= requests) { return; }
        all_mpi_.resize(requests);
        places_.resize(requests);
        indices_.resize(requests);
        statuses_.resize(requests);
        shm_.reserve(1);
    }

    /// `done` has room for as many completions as there are requests. The bytes of a send mean nothing.
    std::size_t test_some(std::span<request> requests, std::span<completion> done) {
        partition_requests(requests, done);
        auto count = poll_shm(requests, done, idle_polls_ >= node::endpoint::spin_limit);
        if (!mpi_.empty()) { count += test_mpi(requests, done.subspan(count)); }
        idle_polls_ = count != 0 ? 0 : idle_polls_ + 1;
        if (idle_polls_ > node::endpoint::spin_limit && !shm_.empty()) {
            static_cast<void>(check_shm_peers(idle_polls_));
            shm_.front()->idle().yield_processor();
        }
        return count;
    }

    /// As `test_some`, but waits until a request has ended. Reports one completed request of MPI, more if some have
    /// failed: most often there is only one, and a test for more costs time for each that has not ended. Calls
    /// `check_peers`, which may throw, now and then while it looks without success.
    template <class CheckPeers>
    std::size_t wait_some(std::span<request> requests, std::span<completion> done, CheckPeers check_peers) {
        partition_requests(requests, done);
        if (shm_.empty()) { return mpi_.empty() ? 0 : wait_mpi(requests, done, check_peers); }
        shm_.front()->idle().begin();
        for (std::size_t round = 0;; ++round) {
            if (auto const count = poll_shm(requests, done, round >= node::endpoint::spin_limit)) { return count; }
            if (!mpi_.empty()) {
                if (auto const count = test_mpi(requests, done)) { return count; }
            }
            bool const sleeps =
                shm_.front()->idle().next(mpi_.empty() && shm_.size() == 1) == control::backoff::step::sleep;
            if (check_shm_peers(round, sleeps)) { check_peers(); }
            if (!sleeps) { continue; }
            if (auto const count = await_ring(requests, done)) { return count; }
        }
    }

private:
    void partition_requests(std::span<request const> requests, std::span<completion const> done) {
        if (done.size() < requests.size()) {
            throw std::invalid_argument{"tutti: every request needs room for its completion"};
        }
        expect(done.size());  // callers have room for more than they ask for now, so that this happens once
        shm_.clear();
        std::size_t count = 0;
        for (std::size_t i = 0; i != requests.size(); ++i) {
            auto const& each = requests[i];
            if (each.mpi != MPI_REQUEST_NULL) {
                all_mpi_[count] = each.mpi;
                places_[count] = i;
                ++count;
            } else if (each.channel != nullptr && std::find(shm_.begin(), shm_.end(), each.channel) == shm_.end()) {
                shm_.push_back(each.channel);
            }
        }
        mpi_ = std::span{all_mpi_}.first(count);
    }

    [[nodiscard]] std::size_t poll_shm(std::span<request> requests, std::span<completion> done, bool may_copy) {
        std::size_t count = 0;
        for (auto* const end : shm_) {
            end->send_more();
            end->look(may_copy);
            for (std::size_t i = 0; i != requests.size() && end->ended_sends() + end->ended_receives() != 0; ++i) {
                auto& each = requests[i];
                if (each.channel != end || !each.shm.pending->ended) { continue; }
                done[count++] = end->completion_of(*each.shm.pending, i);
                each = {};
            }
        }
        return count;
    }

    // Sleeps until something may have come for the only endpoint. Looks before, since its doorbell rings for nothing
    // that came earlier.
    [[nodiscard]] std::size_t await_ring(std::span<request> requests, std::span<completion> done) {
        auto& bell = shm_.front()->bell();
        bell.announce();
        auto const count = poll_shm(requests, done, true);
        if (count == 0) {
            bell.await_ring(shm_.front()->idle().longest_sleep());
        } else {
            bell.withdraw();
        }
        return count;
    }

    // Whether it is time to look for other things as well; it always is where it `must` be.
    bool check_shm_peers(std::size_t round, bool must = false) {
        bool result = false;
        for (auto* const end : shm_) { result = end->idle().check_peers(end->memory(), round, must) || result; }
        return result;
    }

    template <class CheckPeers>
    std::size_t wait_mpi(std::span<request> requests, std::span<completion> done, CheckPeers check_peers) {
        int index = MPI_UNDEFINED;
        MPI_Status status;
        returned_errors const scope;
        int const code = mpi::wait_any(backoff_, mpi_, index, status, check_peers);
        if (index == MPI_UNDEFINED) {
            ensure("MPI_Waitany", code);
            return 0;
        }
        auto const completed = static_cast<std::size_t>(index);
        std::size_t count = 0;
        done[count++] = completion_of("MPI_Waitany", requests, completed, status, code);
        if (code == MPI_SUCCESS) { return count; }
        // Open MPI names one that has failed, and frees all that have
        for (std::size_t i = 0; i != mpi_.size(); ++i) {
            if (i != completed && mpi_[i] == MPI_REQUEST_NULL) {
                done[count++] = completion_of("MPI_Waitany", requests, i, status, code);
            }
        }
        return count;
    }

    std::size_t test_mpi(std::span<request> requests, std::span<completion> done) {
        returned_errors const scope;
        int ended = 0;
        int const code =
            MPI_Testsome(static_cast<int>(mpi_.size()), mpi_.data(), &ended, indices_.data(), statuses_.data());
        bool const some_failed = code == MPI_ERR_IN_STATUS;
        if (!some_failed) { ensure("MPI_Testsome", code); }
        if (ended == MPI_UNDEFINED) { return 0; }
        std::size_t count = 0;
        for (std::size_t i = 0; std::cmp_less(i, ended); ++i) {
            int const wrong = some_failed ? statuses_[i].MPI_ERROR : MPI_SUCCESS;
            if (wrong == MPI_ERR_PENDING) { continue; }
            done[count++] =
                completion_of("MPI_Testsome", requests, static_cast<std::size_t>(indices_[i]), statuses_[i], wrong);
        }
        if (count == 0) { ensure("MPI_Testsome", code); }
        return count;
    }

    /// The completion of MPI's request `index`.
    [[nodiscard]] completion completion_of(char const* call, std::span<request> requests, std::size_t index,
                                  MPI_Status const& status, int wrong) {
        auto& one = requests[places_[index]];
        int bytes = 0, ended_so = 0;
        if (wrong == MPI_SUCCESS) {
            ensure(call, MPI_Get_count(&status, MPI_BYTE, &bytes));
            if (one.is_withdrawn()) { MPI_Test_cancelled(&status, &ended_so); }
            if (ended_so != 0) { wrong = request::withdrawn; }
        } else if (mpi_[index] != MPI_REQUEST_NULL) {
            MPI_Request_free(&mpi_[index]);  // in MPI_Testsome, Open MPI leaves those that failed
        }
        one = {};
        // the status of a send may hold anything, MPI_UNDEFINED included
        return {.index = places_[index], .bytes = static_cast<std::size_t>(std::max(bytes, 0)), .error = wrong};
    }

    control::backoff backoff_{limits_of_looks()};
    dynamic_array<MPI_Request> all_mpi_;  // room for the requests of MPI
    std::span<MPI_Request> mpi_;
    dynamic_array<std::size_t> places_;  // of MPI's requests among all
    dynamic_array<node::endpoint*> shm_;
    dynamic_array<int> indices_;
    dynamic_array<MPI_Status> statuses_;
    std::size_t idle_polls_ = 0;
};

}  // namespace tutti::mpi
