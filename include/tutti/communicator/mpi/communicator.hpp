// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <mpi.h>

#include <tutti/communicator.hpp>
#include <tutti/communicator/mpi/error.hpp>
#include <tutti/communicator/mpi/nodes.hpp>
#include <tutti/communicator/mpi/returned_errors.hpp>
#include <tutti/communicator/mpi/settle.hpp>
#include <tutti/communicator/mpi/tag_sequence.hpp>
#include <tutti/communicator/mpi/turns.hpp>

namespace tutti::mpi {

/// Whether MPI_Finalize has ended MPI; the attributes of MPI_COMM_SELF still end before.
[[nodiscard]] inline bool is_finalised() {
    int finalised = 0;
    check("MPI_Finalized", MPI_Finalized(&finalised));
    return finalised != 0;
}

/// A communicator of MPI for tutti's messages alone: a private duplicate of the user's, so that the messages,
/// wildcards and tags of the two never meet. Models `tutti::communicator`; a request is MPI's own.
///
/// Errors of MPI are thrown as `mpi::error`, whatever the error handler of the user's communicator is. Those of a
/// message are told with its completion and hit nobody else. One thread at a time may use an object.
class communicator {
public:
    using request = MPI_Request;
    using waiting_scope = returned_errors;

    [[nodiscard]] static request inactive() noexcept { return MPI_REQUEST_NULL; }

    /// Duplicates `original`; all its ranks have to call.
    explicit communicator(MPI_Comm original) : communicator{} {
        check("MPI_Comm_dup", MPI_Comm_dup(original, &own_));
        check("MPI_Comm_set_errhandler", MPI_Comm_set_errhandler(own_, MPI_ERRORS_RETURN));
        check("MPI_Comm_rank", MPI_Comm_rank(own_, &rank_));
        check("MPI_Comm_size", MPI_Comm_size(own_, &size_));
    }

    communicator(communicator const&) = delete;
    communicator& operator=(communicator const&) = delete;

    ~communicator() {
        attached_.clear();  // may still send and receive
        if (own_ != MPI_COMM_NULL && !is_finalised()) { MPI_Comm_free(&own_); }
        alive_.fetch_sub(1, std::memory_order_relaxed);
    }

    /// How many objects of this class exist in the process.
    [[nodiscard]] static std::size_t alive() noexcept { return alive_.load(std::memory_order_relaxed); }

    [[nodiscard]] int rank() const noexcept { return rank_; }
    [[nodiscard]] int size() const noexcept { return size_; }

    [[nodiscard]] request send(int peer, int tag, std::span<std::byte const> data) {
        auto result = inactive();
        // MPI-2 declares the memory of a send without const
        auto* const memory = const_cast<std::byte*>(data.data());
        if (synchronous_) {
            check("MPI_Issend", MPI_Issend(memory, length(data.size()), MPI_BYTE, peer, tag, own_, &result));
        } else {
            check("MPI_Isend", MPI_Isend(memory, length(data.size()), MPI_BYTE, peer, tag, own_, &result));
        }
        return result;
    }

    /// As `send`. Requires that the receive which takes the message is posted.
    [[nodiscard]] request send_ready(int peer, int tag, std::span<std::byte const> data) {
        auto result = inactive();
        auto* const memory = const_cast<std::byte*>(data.data());
        check("MPI_Irsend", MPI_Irsend(memory, length(data.size()), MPI_BYTE, peer, tag, own_, &result));
        return result;
    }

    [[nodiscard]] request receive(int peer, int tag, std::span<std::byte> memory) {
        auto result = inactive();
        check("MPI_Irecv", MPI_Irecv(memory.data(), length(memory.size()), MPI_BYTE, peer, tag, own_, &result));
        return result;
    }

    /// Where MPI lets threads call at the same time, each waits for what it has posted itself; else all wait for all.
    [[nodiscard]] static void const* progress_domain() {
        static bool const at_the_same_time = [] {
            int level = MPI_THREAD_SINGLE;
            check("MPI_Query_thread", MPI_Query_thread(&level));
            return level == MPI_THREAD_MULTIPLE;
        }();
        static thread_local char mine = 0;
        return at_the_same_time ? &mine : nullptr;
    }

    /// `done` has room for as many completions as there are requests, which may be of any objects. The bytes of a send
    /// mean nothing.
    std::size_t test_some(std::span<request> requests, std::span<completion> done) {
        prepare(requests, done);
        returned_errors const scope;
        int ended = 0;
        int const code =
            MPI_Testsome(static_cast<int>(requests.size()), requests.data(), &ended, indices_.data(), statuses_.data());
        return report("MPI_Testsome", code, ended, requests, done);
    }

    /// As `test_some`, but returns once a request has ended, and tells of that one. Most often there is only one; to look
    /// for more costs time for each that has not ended.
    std::size_t wait_some(std::span<request> requests, std::span<completion> done) {
        prepare(requests, done);
        int index = MPI_UNDEFINED;
        MPI_Status status;
        returned_errors const scope;
        int const code = turns_.wait_for_any(requests, index, status);
        if (index == MPI_UNDEFINED) { return check("MPI_Waitany", code), 0; }
        done.front() = told("MPI_Waitany", requests, static_cast<std::size_t>(index), status, code);
        return 1;
    }

    /// Throws the error of a message that has failed, however it was found: MPI's calls say the same.
    [[noreturn]] static void raise(completion const& failed) { throw error{"MPI_Waitany", failed.error}; }

    /// Gives up a request after an error. MPI withdraws a receive that has not been matched; what it cannot withdraw
    /// ends by itself or, once a second has gone by in vain, is left to MPI: memory that a peer never asked for.
    void cancel(request given_up) noexcept {
        if (given_up == inactive() || is_finalised()) { return; }
        MPI_Cancel(&given_up);
        auto const start = std::chrono::steady_clock::now();
        auto waited = std::chrono::steady_clock::duration{};
        int ended = 0;
        while (MPI_Test(&given_up, &ended, MPI_STATUS_IGNORE) == MPI_SUCCESS && ended == 0 && waited < patience_) {
            turns_.let_others_run();
            waited = std::chrono::steady_clock::now() - start;
        }
        patience_ -= std::min(patience_, waited);
        if (given_up != inactive()) { MPI_Request_free(&given_up); }
    }

    [[nodiscard]] std::size_t message_limit() const noexcept { return limit_; }

    /// Lowers the limit of what is started from now on; all ranks have to give the same. Requires that nothing is under
    /// way.
    void message_limit(std::size_t bytes) {
        if (bytes == 0 || bytes > largest) {
            throw std::invalid_argument{"tutti: a message of MPI has between 1 and " + std::to_string(largest) +
                                        " bytes, so its limit cannot be " + std::to_string(bytes)};
        }
        limit_ = bytes;
    }

    [[nodiscard]] static std::int64_t now() { return static_cast<std::int64_t>(MPI_Wtime() * 1e9); }

    [[nodiscard]] int new_tag() noexcept { return tags_.next(); }

    /// For 0 and what `new_tag` gives; nothing that `new_tag` gives.
    [[nodiscard]] int token_tag(int tag) const noexcept { return tag + half_of_tags_; }

    /// Whether data is sent in ready mode in what is started from now on; all ranks have to say the same.
    [[nodiscard]] bool ready_mode() const noexcept { return ready_mode_; }
    void ready_mode(bool wanted) noexcept { ready_mode_ = wanted; }

    /// Which ranks share a node, as MPI says unless told otherwise. All ranks have to call the first time.
    [[nodiscard]] node_map const& nodes() {
        if (!nodes_) { nodes_ = discovered_nodes(own_); }
        return *nodes_;
    }
    void nodes(node_map const& told) {
        told.check(static_cast<std::size_t>(size_));
        nodes_ = told;
    }

    [[nodiscard]] attachments& attached() noexcept { return attached_; }

    /// Whether MPI lets this and other objects be used by several threads at the same time.
    [[nodiscard]] static bool allows_threads() { return progress_domain() != nullptr; }

    /// Another communicator of the same ranks; all of them have to call. Its sends end when they are received.
    [[nodiscard]] std::unique_ptr<communicator> duplicate() {
        auto result = std::make_unique<communicator>(own_);
        result->synchronous_ = true;
        return result;
    }

    /// See `mpi::settle`.
    void settle(std::span<request> sends) {
        if (!is_finalised()) { mpi::settle(own_, sends, turns_); }
    }

private:
    static constexpr std::size_t largest = std::numeric_limits<int>::max();

    // complete before MPI is asked for anything, so that the destructor frees the duplicate whatever fails later
    communicator() : half_of_tags_{tag_upper_bound() / 2}, tags_{half_of_tags_} {
        alive_.fetch_add(1, std::memory_order_relaxed);
    }

    [[nodiscard]] int length(std::size_t bytes) const {
        if (bytes > limit_) {
            throw std::length_error{"tutti: a message of " + std::to_string(bytes) +
                                    " bytes is longer than the limit of " + std::to_string(limit_) +
                                    "; cut it into shorter ones"};
        }
        return static_cast<int>(bytes);
    }

    void prepare(std::span<request const> requests, std::span<completion const> done) {
        if (done.size() < requests.size()) {
            throw std::invalid_argument{"tutti: every request needs room for its completion"};
        }
        // callers have room for more than they ask for now, so that this happens once
        if (indices_.size() < done.size()) {
            indices_.resize(done.size());
            statuses_.resize(done.size());
        }
    }

    static completion told(char const* call, std::span<request> requests, std::size_t index, MPI_Status const& status,
                           int wrong) {
        int bytes = 0;
        if (wrong == MPI_SUCCESS) {
            check(call, MPI_Get_count(&status, MPI_BYTE, &bytes));
        } else if (requests[index] != inactive()) {
            MPI_Request_free(&requests[index]);  // Open MPI leaves those that failed
        }
        // what MPI says of a send may be anything, MPI_UNDEFINED included
        return {.index = index, .bytes = static_cast<std::size_t>(std::max(bytes, 0)), .error = wrong};
    }

    std::size_t report(char const* call, int code, int ended, std::span<request> requests, std::span<completion> done) {
        bool const some_failed = code == MPI_ERR_IN_STATUS;
        if (!some_failed) { check(call, code); }
        if (ended == MPI_UNDEFINED) { return 0; }
        std::size_t count = 0;
        for (std::size_t i = 0; std::cmp_less(i, ended); ++i) {
            auto const index = static_cast<std::size_t>(indices_[i]);
            int const wrong = some_failed ? statuses_[i].MPI_ERROR : MPI_SUCCESS;
            if (wrong == MPI_ERR_PENDING) { continue; }
            done[count++] = told(call, requests, index, statuses_[i], wrong);
        }
        if (count == 0) { check(call, code); }
        return count;
    }

    inline static std::atomic<std::size_t> alive_{0};

    MPI_Comm own_ = MPI_COMM_NULL;
    int rank_ = 0;
    int size_ = 0;
    std::size_t limit_ = largest;
    bool ready_mode_ = false;
    bool synchronous_ = false;
    turns turns_;
    std::optional<node_map> nodes_;
    int half_of_tags_;  // the lower half is for data
    tag_sequence tags_;
    attachments attached_;
    std::chrono::steady_clock::duration patience_ = std::chrono::seconds{1};  // of all that is given up together
    std::vector<int> indices_;
    std::vector<MPI_Status> statuses_;
};

static_assert(pools_requests<communicator> && tells_failures<communicator> && sends_ready<communicator>);
static_assert(tells_time<communicator> && duplicates_itself<communicator> && settles<communicator>);
static_assert(tells_nodes<communicator>);

}  // namespace tutti::mpi
