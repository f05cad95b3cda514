// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include <tutti/communicator/mpi/declarations.hpp>

#include <tutti/communicator.hpp>
#include <tutti/communicator/mpi/communicator.hpp>
#include <tutti/communicator/mpi/error.hpp>
#include <tutti/communicator/mpi/failure_notices.hpp>
#include <tutti/communicator/mpi/private_communicator.hpp>
#include <tutti/communicator/mpi/running.hpp>
#include <tutti/communicator/mpi/shared_memory/endpoint.hpp>
#include <tutti/communicator/mpi/shared_memory/operation.hpp>
#include <tutti/communicator/mpi/tag_sequence.hpp>
#include <tutti/error.hpp>
#include <tutti/node_map.hpp>

namespace tutti::mpi {

/// A message had more bytes than its receiver had room for.
struct message_too_long : std::runtime_error {
    explicit message_too_long(std::size_t bytes)
        : std::runtime_error{"tutti: a message of " + std::to_string(bytes) +
                             " bytes was longer than its receiver expected (do the counts, or the collectives called, "
                             "differ between the ranks?)"} {}
};

/// The ranks of an MPI communicator and messages between them through memory that they share: a world for collectives.
///
/// Requires: all ranks are on one node. All construct it and end it together, after MPI_Init and before MPI_Finalize.
/// One thread at a time uses it.
/// Result: `send` copies a message of up to 8 KiB to shared memory and has ended, unless 4 to 64 from this rank to that
/// one are there already; where `receive_in_place` lends it, the receiver's operator reads it. A longer one has ended
/// when its receiver has read it where it lies. Where the kernel forbids that, vectors travel in pieces of
/// `message_limit` bytes, 32 KiB up to 22 ranks; a longer element is copied there and back in pieces.
/// Order: that of the sends, for each pair and tag.
/// Errors, when it is constructed on all ranks the same: std::invalid_argument where not all share memory,
/// std::runtime_error where /dev/shm has no room, `mpi::error` where MPI fails. Later `message_too_long`, and
/// `rank_has_left` if an exception has ended it elsewhere, or a rank is dead, within a second; its memory is then freed
/// with the process.
/// Cost: a copy and a cache line or two for each message, no call of MPI. On the node up to 64 MiB and 8 KiB for each
/// pair, above 64 ranks 18 KiB for each. While a receive waits, unexpected messages are taken in, to
/// memory of the receiver if many. A waiting rank keeps its processor busy and MPI's messages moving, but no collective
/// that it has started on another communicator of tutti.
class shared_memory {
public:
    using request = node::request;

    explicit shared_memory(MPI_Comm ranks) : own_{std::in_place, ranks, most_slots}, limit_{own_->longest_lent()} {
        auto const agreed = agree(own_->memory().own());
        failure_notices_.identify(agreed.identity);
        attached_.checks_calls(agreed.checks_calls);
    }

    shared_memory(shared_memory const&) = delete;
    shared_memory& operator=(shared_memory const&) = delete;
    ~shared_memory() { attached_.clear(); }  // may still send and receive

    [[nodiscard]] static request inactive() noexcept { return {}; }
    [[nodiscard]] int rank() const noexcept { return own_->memory().rank(); }
    [[nodiscard]] int size() const noexcept { return own_->memory().size(); }

    [[nodiscard]] request send(int peer, int tag, std::span<std::byte const> data) {
        if (data.size() > element_limit()) {
            throw std::length_error{"tutti: a message of " + std::to_string(data.size()) +
                                    " bytes is longer than the limit of " + std::to_string(limit_) +
                                    "; cut it into shorter ones"};
        }
        return own_->send(peer, tag, data);
    }

    [[nodiscard]] bool send_at_once(int peer, int tag, std::span<std::byte const> data) noexcept {
        return data.size() <= limit_ && own_->send_at_once(peer, tag, data);
    }

    [[nodiscard]] request receive(int peer, int tag, std::span<std::byte> memory) {
        return own_->receive(node::operation::kind::receive, peer, tag, memory.data(), memory.size());
    }

    /// Lends the message in shared memory, seldom a copy of it.
    [[nodiscard]] request receive_in_place(int peer, int tag, std::size_t bytes) {
        return own_->receive(node::operation::kind::receive_in_place, peer, tag, nullptr, bytes);
    }

    void fetch(completion const& done, std::size_t offset, std::span<std::byte> into) {
        own_->fetch(done, offset, into);
    }
    void give_back(completion const& done) noexcept { own_->give_back(done); }

    std::size_t test_some(std::span<request> requests, std::span<completion> done) {
        auto const count = look_once(requests, done);
        if (idle_polls_ > node::endpoint::spin_limit) {
            if (own_->waiting().check_peers(own_->memory(), idle_polls_)) { hear(); }
            own_->waiting().yield_processor();
        }
        return count;
    }

    std::size_t wait_some(std::span<request> requests, std::span<completion> done) {
        failure_notices_.come();
        for (std::size_t round = 0;; ++round) {
            if (auto const count = look_once(requests, done)) { return count; }
            if (round == 0 && std::ranges::count(requests, inactive()) == std::ssize(requests)) { return 0; }
            if (own_->waiting().check_peers(own_->memory(), round)) { hear(); }
            own_->waiting().pause(round);
        }
    }

    [[noreturn]] static void raise(completion const& failed) { throw message_too_long{failed.bytes}; }

    /// Gives up a request. What has been sent may still be received.
    void cancel(request given_up) noexcept {
        if (given_up != inactive()) { own_->cancel(*given_up.pending); }
    }

    [[nodiscard]] std::size_t message_limit() const noexcept { return limit_; }

    /// A single element may be longer than a slot: it is copied in pieces, if sender and receiver say the same length.
    [[nodiscard]] std::size_t element_limit() const noexcept {
        return limit_ == own_->longest_lent() ? std::numeric_limits<std::size_t>::max() : limit_;
    }

    /// Lowers the limit of what is started from now on; all ranks have to give the same. Requires that nothing is under
    /// way.
    void message_limit(std::size_t bytes) {
        if (bytes == 0 || bytes > own_->longest_lent()) {
            throw std::invalid_argument{"tutti: a message through this memory has between 1 and " +
                                        std::to_string(own_->longest_lent()) + " bytes, so its limit cannot be " +
                                        std::to_string(bytes)};
        }
        limit_ = bytes;
    }

    [[nodiscard]] static std::int64_t now() { return communicator::now(); }

    [[nodiscard]] int new_tag() noexcept { return tags_.next(); }
    [[nodiscard]] int new_call_tag() noexcept { return calls_.next(); }

    /// See `announces_failures`: by MPI.
    void tell_all(failure_kind what, int tag, std::string_view why) {
        if (what == failure_kind::call_refused) { refused_ = tag; }
        if (!is_finalised()) { failure_notices_.tell_all(own_->memory().own(), rank(), size(), what, tag, why); }
    }

    void hear() { failure_notices_.hear(own_->memory().own(), calls_, refused_, attached_); }

    /// See `recoverable`: with other memory.
    void recover() {
        MPI_Comm ranks = MPI_COMM_NULL;
        check("MPI_Comm_dup", MPI_Comm_dup(own_->memory().own(), &ranks));
        own_.emplace(ranks, most_slots);
        MPI_Comm_free(&ranks);
        int last = tags_.last();  // where some ranks have failed to make a plan
        check("MPI_Allreduce", MPI_Allreduce(MPI_IN_PLACE, &last, 1, MPI_INT, MPI_MAX, own_->memory().own()));
        tags_.last(last);
        calls_ = tag_sequence{last_tag, first_call};
        refused_ = 0;
        failure_notices_.forget();
    }

    /// All ranks share a node, unless they are told otherwise.
    [[nodiscard]] node_map const& nodes() const noexcept { return nodes_; }
    void nodes(node_map const& map) {
        map.check(static_cast<std::size_t>(size()));
        nodes_ = map;
    }

    [[nodiscard]] attachments& attached() noexcept { return attached_; }

    /// Whether MPI lets this and other objects be used by several threads at the same time.
    [[nodiscard]] static bool allows_threads() { return communicator::allows_threads(); }

    /// Other memory of the same ranks; all of them have to call.
    [[nodiscard]] std::unique_ptr<shared_memory> duplicate() const {
        return std::make_unique<shared_memory>(own_->memory().own());
    }

private:
    // Room for all messages that the executor leaves in shared memory until they can be combined.
    static constexpr std::size_t most_slots = 64;

    static constexpr int last_tag = std::numeric_limits<int>::max();
    static constexpr int first_call = last_tag / 2;

    std::size_t look_once(std::span<request> requests, std::span<completion> done) {
        auto const count = collect(requests, done, idle_polls_ >= node::endpoint::spin_limit);
        idle_polls_ = count != 0 ? 0 : idle_polls_ + 1;
        return count;
    }

    // Sends are reported first: the executor may not combine a received message before its own sends have ended.
    [[nodiscard]] std::size_t collect(std::span<request> requests, std::span<completion> done, bool may_copy) {
        own_->send_more();
        if (own_->ended_sends() != 0) {
            if (auto const count = report(requests, done, true)) { return count; }
        }
        own_->look(may_copy);
        own_->raise_failure();
        return own_->ended_receives() != 0 ? report(requests, done, false) : 0;
    }

    std::size_t report(std::span<request> requests, std::span<completion> done, bool sends) {
        auto const left = [&] { return sends ? own_->ended_sends() : own_->ended_receives(); };
        std::size_t count = 0;
        for (std::size_t index = 0; index != requests.size() && left() != 0 && count != done.size(); ++index) {
            auto* const each = requests[index].pending;
            if (each == nullptr || !each->ended || (each->what == node::operation::kind::send) != sends) { continue; }
            done[count++] = own_->completion_of(*each, index);
            requests[index] = inactive();
        }
        return count;
    }

    std::optional<node::endpoint> own_;  // always there; made anew by `recover`
    std::size_t limit_;
    std::size_t idle_polls_ = 0;
    tag_sequence tags_{first_call};
    tag_sequence calls_{last_tag, first_call};
    int refused_ = 0;  // tag of the newest call that this rank has refused
    failure_notices failure_notices_;
    node_map nodes_;
    attachments attached_;
};

static_assert(fetches_memory<shared_memory> && tells_failures<shared_memory> && tells_time<shared_memory>);
static_assert(numbers_calls<shared_memory> && announces_failures<shared_memory> && recoverable<shared_memory>);
static_assert(sends_at_once<shared_memory> && tells_nodes<shared_memory> && duplicates_itself<shared_memory>);

}  // namespace tutti::mpi

namespace tutti {

template <>
struct communicator_of<mpi::shared_memory> {
    /// It is never const itself; users may well hand it on as such.
    [[nodiscard]] static mpi::shared_memory& get(mpi::shared_memory const& world) noexcept {
        return const_cast<mpi::shared_memory&>(world);
    }
};

}  // namespace tutti
