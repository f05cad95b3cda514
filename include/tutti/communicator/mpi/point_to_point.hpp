// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>

#include <tutti/communicator.hpp>
#include <tutti/communicator/mpi/declarations.hpp>
#include <tutti/communicator/mpi/error.hpp>
#include <tutti/communicator/mpi/progress.hpp>
#include <tutti/communicator/mpi/shared_memory/channel.hpp>
#include <tutti/communicator/mpi/tagged_length.hpp>
#include <tutti/communicator/store.hpp>
#include <tutti/communicator/supervisor.hpp>
#include <tutti/communicator/tag_sequence.hpp>
#include <tutti/error.hpp>
#include <tutti/text.hpp>

namespace tutti::mpi {

/// Ends receives, after a wait without success, whose senders have sent another length.
class length_mismatch {
public:
    /// Withdraws such receives: a message of the same call has come from there, and waits for a receive. If the lengths
    /// were the same, MPI would have matched those before it in the order in which they were sent, so that it would not
    /// withdraw one; such a receive goes on. Not in a simulation: SMPI's probe sees messages that a receive waits for.
    void withdraw(std::span<request> requests) {
        if constexpr (is_smpi) { return; }
        for (auto& each : requests) {
            if (each.comm == MPI_COMM_NULL || each.is_withdrawn()) { continue; }
            int found = 0;
            MPI_Status status;
            ensure("MPI_Iprobe", MPI_Iprobe(each.from, MPI_ANY_TAG, each.comm, &found, &status));
            if (found == 0 || tagged_length::remove(status.MPI_TAG) != tagged_length::remove(each.tag)) { continue; }
            from_ = each.from;
            ensure("MPI_Get_count", MPI_Get_count(&status, MPI_BYTE, &bytes_));
            ensure("MPI_Cancel", MPI_Cancel(&each.mpi));
            tag_ = tagged_length::remove(each.tag);
            each.tag = MPI_ANY_TAG;
        }
    }

    [[noreturn]] void raise(control::supervisor const& calls, int rank) const {
        throw mismatched_calls{text::joined(
            {calls.text_of_call(tag_), ": rank ", from_, " has sent ", text::word(bytes_, "byte"), " to rank ", rank,
             ", which expects another length; give every rank the same number and type of elements and "
             "the same algorithm; TUTTI_CHECK=1 names both calls"})};
    }

private:
    int tag_ = 0;               // of the call of the last such message
    int from_ = MPI_PROC_NULL;  // its sender
    int bytes_ = 0;             // that it has
};

class communicator;

/// The messages of a communicator of MPI: each goes through the memory of the node if its peer is there and that is
/// shared, else by MPI. What else there is to do for them, when they do not come or ranks begin and end, is in
/// `communicator`.
class point_to_point : public communicator_defaults<communicator> {
public:
    using request = mpi::request;
    static constexpr bool pools_requests = true;
    static constexpr bool fetches_memory = true;

    /// Messages through memory do not need MPI's errors.
    class waiting_scope {
    public:
        explicit waiting_scope(point_to_point const& world) {
            if (!world.shares_memory_) { scope_.emplace(); }
        }

    private:
        std::optional<returned_errors> scope_;
    };

    [[nodiscard]] static request inactive() noexcept { return {}; }

    point_to_point(point_to_point const&) = delete;
    point_to_point& operator=(point_to_point const&) = delete;

    [[nodiscard]] int rank() const noexcept { return rank_; }
    [[nodiscard]] int size() const noexcept { return size_; }

    /// `by_single_copy`: the message takes less time, if it is long, where the receiver reads it where it lies.
    [[nodiscard]] request send(int peer, int tag, std::span<std::byte const> data, bool by_single_copy = false) {
        auto const bytes = count_of(data.size());
        if (goes_through_memory(peer)) {
            return {.shm = node_->send(node_.rank_of(peer), tag, data, by_single_copy), .channel = node_.get()};
        }
        request result;
        // MPI-2 declares the memory of a send without const
        auto* const memory = const_cast<std::byte*>(data.data());
        ensure("MPI_Isend", MPI_Isend(memory, bytes, MPI_BYTE, peer, tag, own_, &result.mpi));
        return result;
    }

    /// Through memory only: MPI may need the memory of a send for a while.
    [[nodiscard]] bool send_at_once(int peer, int tag, std::span<std::byte const> data,
                                    bool by_single_copy = false) noexcept {
        return goes_through_memory(peer) && data.size() <= lent_limit() &&
               node_->send_at_once(node_.rank_of(peer), tag, data, by_single_copy);
    }

    /// As `send`. Requires that the receive which takes the message is posted.
    [[nodiscard]] request send_ready(int peer, int tag, std::span<std::byte const> data, bool by_single_copy = false) {
        if (goes_through_memory(peer)) { return send(peer, tag, data, by_single_copy); }
        request result;
        auto* const memory = const_cast<std::byte*>(data.data());
        ensure("MPI_Irsend", MPI_Irsend(memory, count_of(data.size()), MPI_BYTE, peer, tag, own_, &result.mpi));
        return result;
    }

    [[nodiscard]] request receive(int peer, int tag, std::span<std::byte> memory) {
        auto const bytes = count_of(memory.size());
        if (goes_through_memory(peer)) {
            auto const what = node::posted_operation::kind::receive;
            return {.shm = node_->receive(what, node_.rank_of(peer), tag, memory.data(), memory.size()),
                    .channel = node_.get()};
        }
        request result;
        ensure("MPI_Irecv", MPI_Irecv(memory.data(), bytes, MPI_BYTE, peer, tag, own_, &result.mpi));
        if (tags_lengths_ && tagged_length::has_one(tag)) {
            result.comm = own_;
            result.from = peer;
            result.tag = tag;
        }
        return result;
    }

    /// Requires that it `lends` the messages of that rank, and at most `lent_limit` bytes.
    [[nodiscard]] request receive_lent(int peer, int tag, std::size_t bytes) {
        auto const what = node::posted_operation::kind::receive_lent;
        return {.shm = node_->receive(what, node_.rank_of(peer), tag, nullptr, bytes), .channel = node_.get()};
    }
    /// As `receive_lent`, if the message comes within this many polls and waits for no other receive; false otherwise.
    [[nodiscard]] bool receive_at_once(int peer, int tag, std::size_t bytes, std::size_t most_polls, completion& done) {
        return node_->receive_at_once(node_.rank_of(peer), tag, bytes, most_polls, done);
    }
    void fetch(completion const& done, std::size_t offset, std::span<std::byte> into) {
        node_->fetch(done, offset, into);
    }
    void give_back(completion const& done) noexcept { node_->give_back(done); }
    [[nodiscard]] bool lends() const noexcept { return shares_memory_; }
    [[nodiscard]] bool lends(int peer) const noexcept { return node_.has(peer); }

    /// Where MPI lets threads call at the same time, each waits for what it has posted itself; else all wait for all.
    [[nodiscard]] static void const* progress_domain() {
        static bool const at_the_same_time = [] {
            int level = MPI_THREAD_SINGLE;
            ensure("MPI_Query_thread", MPI_Query_thread(&level));
            return level == MPI_THREAD_MULTIPLE;
        }();
        static thread_local char mine = 0;  // decides who tests for messages, not which there are
        return at_the_same_time ? &mine : nullptr;
    }

    /// The requests may be of any objects, see `mpi_progress`. If nothing completes again and again, throws the error
    /// that another rank has reported.
    std::size_t test_some(std::span<request> requests, std::span<completion> done) {
        auto const count = progress_.test_some(requests, done);
        if (count == 0 && ++fruitless_tests_ % tests_between_notices == 0) { poll_notices(requests); }
        return count;
    }
    std::size_t wait_some(std::span<request> requests, std::span<completion> done) {
        ++waits_;
        return progress_.wait_some(requests, done, [&] { poll_notices(requests); });
    }

    /// Throws the error of a message that has failed, however it was found: MPI's calls say the same.
    [[noreturn]] void raise(completion const& failed) const {
        if (failed.error == node::endpoint::unreadable) { node_->raise_unreadable(); }
        if (failed.error == request::withdrawn) { length_mismatch_.raise(supervisor_, rank()); }
        throw error{"MPI_Waitany", failed.error};
    }

    /// In bytes.
    [[nodiscard]] std::size_t message_limit() const noexcept { return limit_; }

    /// In bytes; of messages that are lent.
    [[nodiscard]] std::size_t lent_limit(bool by_single_copy = false) const noexcept {
        return shares_memory_ && node_.get() != nullptr ? std::min(limit_, node_->longest_lent(by_single_copy))
                                                        : limit_;
    }

    /// Lowers the limit of what is started from now on; all ranks have to give the same. Requires that nothing is under
    /// way.
    void message_limit(std::size_t bytes) {
        if (bytes == 0 || bytes > largest) {
            throw std::invalid_argument{text::joined(
                {"tutti: a message of MPI has between 1 and ", largest, " bytes, so its limit cannot be ", bytes})};
        }
        limit_ = bytes;
    }

    /// The next tag of another quarter.
    [[nodiscard]] int new_call_tag() noexcept { return calls_.next(); }

    /// See `tagged_length`. Through memory no more is written than has room.
    [[nodiscard]] int tag_for(int peer, int tag, std::size_t bytes) const {
        return bytes < tagged_length::shortest || !tags_lengths_ || goes_through_memory(peer)
                   ? tag
                   : tagged_length::add(tag, bytes);
    }

    [[nodiscard]] bool shares_memory() const noexcept { return shares_memory_; }

    [[nodiscard]] tutti::control::store& store() noexcept { return store_; }
    [[nodiscard]] tutti::control::supervisor& supervisor() noexcept { return supervisor_; }

protected:
    point_to_point() = default;
    ~point_to_point() = default;

    /// The lower half of MPI's tags is for data: of that the lower half for plans.
    [[nodiscard]] static int half_of_tags() { return tagged_length::largest_plain_tag() / 2; }

    MPI_Comm own_ = MPI_COMM_NULL;
    int rank_ = 0;
    int size_ = 0;
    bool shares_memory_ = false;
    bool tags_lengths_ = tagged_length::is_possible();
    node::channel node_;        // made when it is wanted
    control::tag_sequence calls_{half_of_tags(), half_of_tags() / 2};
    std::size_t waits_ = 0;  // how often this rank has begun to wait
    mpi_progress progress_;
    length_mismatch length_mismatch_;
    tutti::control::store store_;
    tutti::control::supervisor supervisor_;

private:
    static constexpr std::size_t tests_between_notices = 64;
    static constexpr std::size_t largest = std::numeric_limits<int>::max();

    // What a rank does now and then that waits without success: `communicator::poll_notices`.
    [[gnu::cold]] void poll_notices(std::span<request> waiting);

    // A message that is too long to be lent is copied there and back in pieces.
    [[nodiscard]] bool goes_through_memory(int peer) const noexcept { return shares_memory_ && node_.has(peer); }

    [[nodiscard]] int count_of(std::size_t bytes) const {
        if (bytes > limit_) { refuse_length(bytes); }
        return static_cast<int>(bytes);
    }
    [[noreturn, gnu::cold, gnu::noinline]] void refuse_length(std::size_t bytes) const {
        throw std::length_error{text::joined({"tutti: a message of ", text::word(bytes, "byte"),
                                              " is longer than the limit of ", limit_, "; cut it into shorter ones"})};
    }

    std::size_t limit_ = largest;
    std::size_t fruitless_tests_ = 0;
};

}  // namespace tutti::mpi
