// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <atomic>
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
#include <tutti/communicator/mpi/death_watch.hpp>
#include <tutti/communicator/mpi/error.hpp>
#include <tutti/communicator/mpi/lookout.hpp>
#include <tutti/communicator/mpi/nodes.hpp>
#include <tutti/communicator/mpi/notices.hpp>
#include <tutti/communicator/mpi/private_communicator.hpp>
#include <tutti/communicator/mpi/request.hpp>
#include <tutti/communicator/mpi/returned_errors.hpp>
#include <tutti/communicator/mpi/running.hpp>
#include <tutti/communicator/mpi/settle.hpp>
#include <tutti/communicator/mpi/tag_sequence.hpp>
#include <tutti/communicator/mpi/turns.hpp>
#include <tutti/communicator/mpi/withdrawal.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/error.hpp>

namespace tutti::mpi {

/// A communicator of MPI for tutti's messages alone: a private duplicate of the user's, so that the messages,
/// wildcards and tags of the two never meet. Models `tutti::communicator`. Where its ranks share memory, its messages
/// may go through that, see `share_memory`.
///
/// Errors of MPI are thrown as `mpi::error`, whatever the error handler of the user's communicator is. Those of a
/// message are reported with its completion and affect no other request. One thread at a time may use an object.
class communicator {
public:
    using request = mpi::request;

    /// Messages through memory do not need MPI's errors.
    class waiting_scope {
    public:
        explicit waiting_scope(communicator const& world) {
            if (!world.shares_memory_) { scope_.emplace(); }
        }

    private:
        std::optional<returned_errors> scope_;
    };

    [[nodiscard]] static request inactive() noexcept { return {}; }

    /// Duplicates `original`; all its ranks have to call.
    [[gnu::cold]] explicit communicator(MPI_Comm original) : communicator{} {
        own_ = private_communicator(original);
        check("MPI_Comm_set_errhandler", MPI_Comm_set_errhandler(own_, MPI_ERRORS_RETURN));
        check("MPI_Comm_rank", MPI_Comm_rank(own_, &rank_));
        check("MPI_Comm_size", MPI_Comm_size(own_, &size_));
    }

    communicator(communicator const&) = delete;
    communicator& operator=(communicator const&) = delete;

    [[gnu::cold]] ~communicator() {
        bool const messages_are_left = attached_.failed();
        attached_.clear();  // may still send and receive
        near_.reset();
        // else MPI would take what is left for messages of the next communicator
        if (own_ != MPI_COMM_NULL && !messages_are_left && !is_finalised()) { MPI_Comm_free(&own_); }
        alive_.fetch_sub(1, std::memory_order_relaxed);
    }

    /// How many objects of this class exist in the process.
    [[nodiscard]] static std::size_t alive() noexcept { return alive_.load(std::memory_order_relaxed); }

    [[nodiscard]] int rank() const noexcept { return rank_; }
    [[nodiscard]] int size() const noexcept { return size_; }

    [[nodiscard]] request send(int peer, int tag, std::span<std::byte const> data) {
        auto const bytes = length(data.size());
        if (fits_memory(data.size())) { return {.near = near_->send(peer, tag, data), .through = near_.get()}; }
        request result;
        // MPI-2 declares the memory of a send without const
        auto* const memory = const_cast<std::byte*>(data.data());
        if (synchronous_) {
            check("MPI_Issend", MPI_Issend(memory, bytes, MPI_BYTE, peer, tag, own_, &result.far));
        } else {
            check("MPI_Isend", MPI_Isend(memory, bytes, MPI_BYTE, peer, tag, own_, &result.far));
        }
        return result;
    }

    /// Through memory only: MPI may need the memory of a send for a while.
    [[nodiscard]] bool send_at_once(int peer, int tag, std::span<std::byte const> data) noexcept {
        return fits_memory(data.size()) && data.size() <= limit_ && near_->send_at_once(peer, tag, data);
    }

    /// As `send`. Requires that the receive which takes the message is posted.
    [[nodiscard]] request send_ready(int peer, int tag, std::span<std::byte const> data) {
        if (fits_memory(data.size())) { return send(peer, tag, data); }
        request result;
        auto* const memory = const_cast<std::byte*>(data.data());
        check("MPI_Irsend", MPI_Irsend(memory, length(data.size()), MPI_BYTE, peer, tag, own_, &result.far));
        return result;
    }

    [[nodiscard]] request receive(int peer, int tag, std::span<std::byte> memory) {
        auto const bytes = length(memory.size());
        if (fits_memory(memory.size())) {
            auto const what = node::operation::kind::receive;
            return {.near = near_->receive(what, peer, tag, memory.data(), memory.size()), .through = near_.get()};
        }
        request result;
        check("MPI_Irecv", MPI_Irecv(memory.data(), bytes, MPI_BYTE, peer, tag, own_, &result.far));
        return result;
    }

    /// Requires that it `lends`, and a message that may go through memory.
    [[nodiscard]] request receive_in_place(int peer, int tag, std::size_t bytes) {
        auto const what = node::operation::kind::receive_in_place;
        return {.near = near_->receive(what, peer, tag, nullptr, bytes), .through = near_.get()};
    }
    void give_back(completion const& done) noexcept { near_->give_back(done); }
    [[nodiscard]] bool lends() const noexcept { return shares_memory_; }

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

    /// The requests may be of any objects, see `lookout`. Who asks in vain throws what other ranks have told.
    std::size_t test_some(std::span<request> requests, std::span<completion> done) {
        auto const count = lookout_.test_some(requests, done);
        if (count == 0 && ++fruitless_tests_ % tests_between_notices == 0) { hear(); }
        return count;
    }
    std::size_t wait_some(std::span<request> requests, std::span<completion> done) {
        notices_.come();
        return lookout_.wait_some(requests, done, [this] { hear(); });
    }

    /// See `notices` and `death_watch`. All ranks have to call.
    void identify(notices::identity own) {
        notices_.identify(own);
        deaths_.begin(own_);
    }

    /// See `tells_distress`.
    void tell_all(distress what, int tag, std::string_view why) {
        if (what == distress::call_refused) { refused_ = tag; }
        if (!is_finalised()) { notices_.tell_all(own_, rank_, size_, what, tag, why); }
    }

    /// Throws the error of a message that has failed, however it was found: MPI's calls say the same.
    [[noreturn]] static void raise(completion const& failed) { throw error{"MPI_Waitany", failed.error}; }

    /// See `withdrawal`.
    void cancel(request given_up) noexcept { give_up(std::span{&given_up, 1}, std::nullopt); }
    void give_up(std::span<request> requests, std::optional<int> tag) noexcept {
        auto const discard = [this](int each) { return notices_.discard(own_, each); };
        if (!withdrawal_.give_up(requests, tag, turns_, discard)) {
            notices_.tell_all(own_, rank_, size_, distress::sends_abandoned, 0, "");
        }
    }

    /// Through memory, bytes of the longest message that goes there.
    [[nodiscard]] std::size_t message_limit() const noexcept {
        return shares_memory_ ? std::min(limit_, near_->slot_bytes()) : limit_;
    }

    /// Bytes of the longest message at all: one element may be too long for memory. It goes by MPI, if sender and
    /// receiver say the same length.
    [[nodiscard]] std::size_t element_limit() const noexcept { return limit_; }

    /// Lowers the limit of what is started from now on; all ranks have to give the same. Requires that nothing is under
    /// way.
    void message_limit(std::size_t bytes) {
        if (bytes == 0 || bytes > largest) {
            throw std::invalid_argument{joined(
                {"tutti: a message of MPI has between 1 and ", largest, " bytes, so its limit cannot be ", bytes})};
        }
        limit_ = bytes;
    }

    [[nodiscard]] static std::int64_t now() { return static_cast<std::int64_t>(MPI_Wtime() * 1e9); }

    /// Of a quarter of MPI's tags, in turn: after 8190 plans at the earliest, and 2^25 and more in common MPIs, one
    /// comes again, and must not be that of a plan which still runs.
    [[nodiscard]] int new_tag() noexcept { return tags_.next(); }

    /// Of another quarter.
    [[nodiscard]] int new_call_tag() noexcept { return calls_.next(); }

    /// For 0 and what `new_tag` and `new_call_tag` give; nothing that they give.
    [[nodiscard]] int token_tag(int tag) const noexcept { return tag + half_of_tags_; }

    /// Whether data is sent in ready mode in what is started from now on; all ranks have to say the same.
    [[nodiscard]] bool ready_mode() const noexcept { return ready_mode_; }
    void ready_mode(bool wanted) noexcept { ready_mode_ = wanted; }

    /// Which ranks share a node, as MPI says unless told otherwise. All ranks have to call the first time.
    [[nodiscard, gnu::cold]] node_map const& nodes() {
        if (!nodes_) { nodes_ = discovered_nodes(own_); }
        return *nodes_;
    }
    void nodes(node_map const& told) {
        told.check(static_cast<std::size_t>(size_));
        nodes_ = told;
    }

    /// Sends messages through memory that all ranks share, or by MPI; says which: by MPI where they share none, or
    /// /dev/shm has no room for it. The memory stays until the communicator ends: 16 MiB for up to 32 ranks together
    /// and 8 KiB for each pair, 18 KiB for a pair of more. All ranks have to call and want the same. Requires that
    /// nothing is under way.
    [[gnu::cold]] bool share_memory(bool wanted) {
        if (wanted && !near_) { make_near(); }
        return shares_memory_ = wanted && near_;
    }

    [[nodiscard]] bool shares_memory() const noexcept { return shares_memory_; }

    [[nodiscard]] attachments& attached() noexcept { return attached_; }

    /// Whether MPI lets this and other objects be used by several threads at the same time.
    [[nodiscard]] static bool allows_threads() { return progress_domain() != nullptr; }

    /// Another communicator of the same ranks; all of them have to call. Its sends end when they are received.
    [[nodiscard, gnu::cold]] std::unique_ptr<communicator> duplicate() {
        auto result = std::make_unique<communicator>(own_);
        result->synchronous_ = true;
        return result;
    }

    /// See `recoverable`. Messages from before stay with a communicator of MPI that is used no more, and never freed:
    /// they may never be received, their memory may be gone, and the next communicator might get them.
    [[gnu::cold]] void recover() {
        meet_for_recovery();
        MPI_Comm fresh = MPI_COMM_NULL;
        check("MPI_Comm_dup", MPI_Comm_dup(own_, &fresh));
        own_ = fresh;
        check("MPI_Comm_set_errhandler", MPI_Comm_set_errhandler(own_, MPI_ERRORS_RETURN));
        int last = tags_.last();  // where some ranks have failed to make a plan
        check("MPI_Allreduce", MPI_Allreduce(MPI_IN_PLACE, &last, 1, MPI_INT, MPI_MAX, own_));
        tags_.last(last);
        calls_ = tag_sequence{half_of_tags_, half_of_tags_ / 2};
        refused_ = 0;
        notices_.forget();
        withdrawal_.recover();
        if (near_) {
            near_.reset();
            make_near();
            shares_memory_ = shares_memory_ && near_;
        }
    }

    /// See `mpi::settle`.
    void settle(std::span<request> sends) {
        if (is_finalised()) { return; }
        dynamic_array<MPI_Request> far;
        for (auto& each : sends) { far.push_back(std::exchange(each.far, MPI_REQUEST_NULL)); }
        mpi::settle(own_, far, turns_);
    }

private:
    // Messages leave them at once, and what goes round in a few of them stays in the caches.
    static constexpr std::size_t most_slots = 16;
    static constexpr std::size_t tests_between_notices = 64;
    static constexpr std::size_t largest = std::numeric_limits<int>::max();

    // complete before MPI is asked for anything, so that the destructor frees the duplicate whatever fails later
    communicator()
        : half_of_tags_{tag_upper_bound() / 2},
          tags_{half_of_tags_ / 2},
          calls_{half_of_tags_, half_of_tags_ / 2} {
        alive_.fetch_add(1, std::memory_order_relaxed);
    }

    void hear() {
        notices_.hear(own_, calls_, refused_, attached_);
        auto const dead = deaths_.find();
        if (dead == death_watch::no_rank) { return; }
        withdrawal_.despair();
        throw rank_is_dead{dead};
    }

    [[nodiscard]] bool fits_memory(std::size_t bytes) const noexcept {
        return shares_memory_ && bytes <= near_->slot_bytes();
    }

    [[nodiscard]] int length(std::size_t bytes) const {
        if (bytes > limit_) { refuse_length(bytes); }
        return static_cast<int>(bytes);
    }
    [[noreturn, gnu::cold, gnu::noinline]] void refuse_length(std::size_t bytes) const {
        throw std::length_error{joined({"tutti: a message of ", bytes, " bytes is longer than the limit of ", limit_,
                                        "; cut it into shorter ones"})};
    }

    // Other ranks may still wait for a receiver of what they have sent.
    [[gnu::cold]] void meet_for_recovery() {
        returned_errors const scope;
        MPI_Request met = MPI_REQUEST_NULL;
        check("MPI_Ibarrier", MPI_Ibarrier(own_, &met));
        for (int ended = 0; ended == 0;) {
            turns_.let_others_run();
            if (!notices_.discard(own_, MPI_ANY_TAG)) { check("MPI_Test", MPI_Test(&met, &ended, MPI_STATUS_IGNORE)); }
        }
    }

    // Where one rank has none, none of them has.
    [[gnu::cold]] void make_near() {
        try {
            near_ = std::make_unique<node::endpoint>(own_, most_slots);
        } catch (std::exception const&) {}
        int made = near_ ? 1 : 0;
        check("MPI_Allreduce", MPI_Allreduce(MPI_IN_PLACE, &made, 1, MPI_INT, MPI_MIN, own_));
        if (made == 0) { static_cast<void>(near_.release()); }  // who would end it waits for all
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
    tag_sequence calls_;
    int refused_ = 0;  // tag of the newest call that this rank has refused
    notices notices_;
    death_watch deaths_;
    std::size_t fruitless_tests_ = 0;
    withdrawal withdrawal_;
    attachments attached_;
    lookout lookout_;
    std::unique_ptr<node::endpoint> near_;  // null until it is wanted
    bool shares_memory_ = false;
};

static_assert(pools_requests<communicator> && tells_failures<communicator> && sends_ready<communicator>);
static_assert(tells_time<communicator> && duplicates_itself<communicator> && settles<communicator>);
static_assert(sends_at_once<communicator> && lends_memory<communicator>);
static_assert(tells_nodes<communicator> && may_share_memory<communicator> && numbers_calls<communicator>);
static_assert(tells_distress<communicator> && recoverable<communicator> && gives_up_together<communicator>);

}  // namespace tutti::mpi
