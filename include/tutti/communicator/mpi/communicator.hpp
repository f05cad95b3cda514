// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
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

#include <tutti/communicator.hpp>
#include <tutti/communicator/clock.hpp>
#include <tutti/communicator/empty_calls.hpp>
#include <tutti/communicator/mpi/agreement.hpp>
#include <tutti/communicator/mpi/cancellation.hpp>
#include <tutti/communicator/mpi/liveness.hpp>
#include <tutti/communicator/mpi/declarations.hpp>
#include <tutti/communicator/mpi/device_memory.hpp>
#include <tutti/communicator/mpi/error.hpp>
#include <tutti/communicator/mpi/farewell.hpp>
#include <tutti/communicator/mpi/notice_channel.hpp>
#include <tutti/communicator/mpi/meeting.hpp>
#include <tutti/communicator/mpi/private_communicator.hpp>
#include <tutti/communicator/mpi/progress.hpp>
#include <tutti/communicator/mpi/returned_errors.hpp>
#include <tutti/communicator/mpi/running.hpp>
#include <tutti/communicator/mpi/shared_memory/channel.hpp>
#include <tutti/communicator/mpi/sharing_decision.hpp>
#include <tutti/communicator/mpi/tag_pool.hpp>
#include <tutti/communicator/mpi/tagged_length.hpp>
#include <tutti/communicator/mpi/yield.hpp>
#include <tutti/communicator/notices.hpp>
#include <tutti/communicator/tag_sequence.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/error.hpp>
#include <tutti/node_map.hpp>

namespace tutti::mpi {

/// Which ranks of `ranks` share a node: those that could share memory. All of them have to call.
/// Errors: `mpi::error`, where the error handler of `ranks` lets MPI return.
/// Cost: one split and one allgather of an int. Result: the same map on all ranks.
[[nodiscard, gnu::cold]] inline node_map discovered_nodes(MPI_Comm ranks) {
    int rank = 0;
    int size = 0;
    ensure("MPI_Comm_rank", MPI_Comm_rank(ranks, &rank));
    ensure("MPI_Comm_size", MPI_Comm_size(ranks, &size));
    auto node = MPI_COMM_NULL;
    int const status = MPI_Comm_split_type(ranks, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
    if (!on_all(ranks, status == MPI_SUCCESS)) {
        ensure("MPI_Comm_split_type", status);
        throw error{"MPI_Comm_split_type, on another rank,", MPI_ERR_OTHER};
    }
    // a node is named after its first rank
    int name = rank;
    ensure("MPI_Bcast", MPI_Bcast(&name, 1, MPI_INT, 0, node));
    ensure("MPI_Comm_free", MPI_Comm_free(&node));
    dynamic_array<int> names(static_cast<std::size_t>(size));
    ensure("MPI_Allgather", MPI_Allgather(&name, 1, MPI_INT, names.data(), 1, MPI_INT, ranks));
    dynamic_array<std::size_t> node_of_rank;
    for (auto const each : names) { node_of_rank.push_back(static_cast<std::size_t>(each)); }
    return node_map{std::span<std::size_t const>{node_of_rank}};
}

/// A communicator of MPI for tutti's messages alone: a private duplicate of the user's, so that the messages,
/// wildcards and tags of the two never meet. Models `tutti::communicator`. Where its ranks share memory, its messages
/// may go through that, see `share_memory`.
///
/// Errors of MPI are thrown as `mpi::error`, whatever the error handler of the user's communicator is. Those of a
/// message are reported with its completion and affect no other request. One thread at a time may use an object.
class communicator : public communicator_defaults<communicator> {
public:
    using request = mpi::request;
    static constexpr bool pools_requests = true;
    static constexpr bool fetches_memory = true;
    static constexpr bool drains = true;

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
        farewells::go_on();
        begin_on(private_communicator(original));
    }

    communicator(communicator const&) = delete;
    communicator& operator=(communicator const&) = delete;

    [[gnu::cold]] ~communicator() {
        leave();
        if (farewell_ != nullptr && node_.waits_at_its_end()) {
            farewells::await(*farewell_);
            auto const peer = farewell_->is_sound() ? node_.sender_of(MPI_ANY_TAG) : MPI_PROC_NULL;
            if (peer != MPI_PROC_NULL) { report_unreceived(rank_, peer); }
        }
        node_.end();
        alive_.fetch_sub(1, std::memory_order_relaxed);
    }

    /// This rank makes no more calls: waits for its plans that run, and no longer. See `farewell`. All ranks have to
    /// call, or to end the object.
    [[gnu::cold]] void leave() noexcept {
        farewells::go_on();
        supervisor_.close();
        store_.clear();  // may still send and receive
        auto const left = std::exchange(own_, MPI_COMM_NULL);
        if (left == MPI_COMM_NULL || is_finalised()) { return; }
        try {
            farewell_ = std::make_shared<farewell>(left, std::move(notices_), std::move(empty_calls_), std::move(deaths_),
                                                   std::move(tags_), !supervisor_.failed());
            farewells::add(farewell_);
            farewells::go_on();
        } catch (...) {  // no caller is left to be told
        }
    }

    /// How many objects of this class exist in the process.
    [[nodiscard]] static std::size_t alive() noexcept { return alive_.load(std::memory_order_relaxed); }

    [[nodiscard]] int rank() const noexcept { return rank_; }
    [[nodiscard]] int size() const noexcept { return size_; }

    [[nodiscard]] request send(int peer, int tag, std::span<std::byte const> data) {
        auto const bytes = count_of(data.size());
        if (goes_through_memory(peer)) {
            return {.shm = node_->send(node_.rank_of(peer), tag, data), .channel = node_.get()};
        }
        request result;
        // MPI-2 declares the memory of a send without const
        auto* const memory = const_cast<std::byte*>(data.data());
        if (synchronous_) {
            ensure("MPI_Issend", MPI_Issend(memory, bytes, MPI_BYTE, peer, tag, own_, &result.mpi));
        } else {
            ensure("MPI_Isend", MPI_Isend(memory, bytes, MPI_BYTE, peer, tag, own_, &result.mpi));
        }
        return result;
    }

    /// Through memory only: MPI may need the memory of a send for a while.
    [[nodiscard]] bool send_at_once(int peer, int tag, std::span<std::byte const> data) noexcept {
        return goes_through_memory(peer) && data.size() <= lent_limit() &&
               node_->send_at_once(node_.rank_of(peer), tag, data);
    }

    /// As `send`. Requires that the receive which takes the message is posted.
    [[nodiscard]] request send_ready(int peer, int tag, std::span<std::byte const> data) {
        if (goes_through_memory(peer)) { return send(peer, tag, data); }
        request result;
        auto* const memory = const_cast<std::byte*>(data.data());
        ensure("MPI_Irsend", MPI_Irsend(memory, count_of(data.size()), MPI_BYTE, peer, tag, own_, &result.mpi));
        return result;
    }

    [[nodiscard]] request receive(int peer, int tag, std::span<std::byte> memory) {
        auto const bytes = count_of(memory.size());
        if (goes_through_memory(peer)) {
            auto const what = node::operation::kind::receive;
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
        auto const what = node::operation::kind::receive_lent;
        return {.shm = node_->receive(what, node_.rank_of(peer), tag, nullptr, bytes), .channel = node_.get()};
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
        static thread_local char mine = 0;
        return at_the_same_time ? &mine : nullptr;
    }

    /// The requests may be of any objects, see `mpi_progress`. If nothing completes again and again, throws the error
    /// that another rank has reported.
    std::size_t test_some(std::span<request> requests, std::span<completion> done) {
        auto const count = progress_.test_some(requests, done);
        if (count == 0 && ++fruitless_tests_ % tests_between_notices == 0) {
            hear();
            progress_.withdraw(requests);
        }
        return count;
    }
    std::size_t wait_some(std::span<request> requests, std::span<completion> done) {
        notices_.come();
        return progress_.wait_some(requests, done, [this] { hear(); });
    }

    /// Prepares what collectives need, see `agreement`, `failure_notices` and `death_watch`; all ranks have to call.
    /// Finds the nodes, too: in the first call a rank that refuses it would not.
    /// Result: its place among the communicators of this process, the same on all ranks.
    [[gnu::cold]] std::array<int, 2> begin() {
        auto const agreed = agree(own_);
        supervisor_.watch(call_watch::comparing, agreed.checks_calls);
        supervisor_.time_limit(agreed.timeout);
        sharing(agreed.sharing);
        static_cast<void>(nodes());
        none_allows_threads_ = on_all(own_, !allows_threads());
        notices_.identify(agreed.identity);
        deaths_.begin(own_);
        return agreed.identity;
    }

    void tell_all(failure_kind what, int tag, std::string_view why) {
        auto const number = number_of(tag);
        if (what == failure_kind::call_refused) { refused_ = number; }
        if (!is_finalised()) { notices_.tell_all(what, tag, number, why); }
    }

    void hear() {
        farewells::go_on();
        tags_.poll();
        notices_.hear(calls_, refused_, supervisor_, empty_calls_);
        empty_calls_.look(
            rank_, [this](int tag) { return supervisor_.under_way(tag) == nullptr ? sender_of(tag) : MPI_PROC_NULL; });
        auto const dead = deaths_.find();
        if (dead == death_watch::no_rank) { return; }
        cancellation_.despair();
        throw rank_is_dead{dead};
    }

    /// Throws the error of a message that has failed, however it was found: MPI's calls say the same.
    [[gnu::cold]] void require_readable(void const* first) const { device_memory::refuse(first); }
    [[noreturn]] void raise(completion const& failed) const {
        if (failed.error == node::endpoint::unreadable) { node_->raise_unreadable(); }
        if (failed.error == mpi_progress::withdrawn) { progress_.raise_withdrawn(); }
        throw error{"MPI_Waitany", failed.error};
    }

    /// See `cancellation`.
    void cancel(request given_up) noexcept { give_up(std::span{&given_up, 1}, std::nullopt); }
    void give_up(std::span<request> requests, std::optional<int> tag) noexcept {
        auto const discard = [this] { return discard_message(); };
        if (!cancellation_.give_up(requests, tag.has_value(), processor_yield_, discard)) {
            notices_.tell_all(failure_kind::sends_abandoned, 0, 0, "");
        }
    }

    /// In bytes.
    [[nodiscard]] std::size_t message_limit() const noexcept { return limit_; }

    /// In bytes; of messages that are lent.
    [[nodiscard]] std::size_t lent_limit() const noexcept {
        return shares_memory_ && node_.get() != nullptr ? std::min(limit_, node_->longest_lent()) : limit_;
    }

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

    /// A tag of a quarter of MPI's, for 8190 plans that live at a time at the least, see `tag_pool`.
    [[nodiscard]] int new_tag() {
        return tags_.take(own_, [this] {
            hear();
            processor_yield_.yield_processor();
        });
    }
    void release_tag(int tag) noexcept { tags_.put_back(tag); }

    /// The next tag of another quarter.
    [[nodiscard]] int new_call_tag() noexcept { return calls_.next(); }

    /// See `tagged_length`. Through memory no more is written than has room.
    [[nodiscard]] int tag_for(int peer, int tag, std::size_t bytes) const {
        return bytes < tagged_length::shortest || !tags_lengths_ || goes_through_memory(peer)
                   ? tag
                   : tagged_length::add(tag, bytes);
    }

    [[nodiscard]] std::int64_t number_of(int tag) const noexcept {
        return tag < calls_.first() ? tags_.number_of(tag) : calls_.number_of(tag);
    }

    /// Whether data is sent in ready mode in what is started from now on; all ranks have to say the same.
    [[nodiscard]] bool ready_mode() const noexcept { return ready_mode_; }
    void ready_mode(bool wanted) noexcept { ready_mode_ = wanted; }

    /// Which ranks share a node, as MPI reports, unless `nodes(map)` has set it. All ranks have to call the first time.
    [[nodiscard, gnu::cold]] node_map const& nodes() {
        if (!nodes_) { nodes_ = discovered_nodes(own_); }
        return *nodes_;
    }
    void nodes(node_map const& map) {
        map.check_size(static_cast<std::size_t>(size_));
        nodes_ = map;
    }

    /// Sends messages within a node through memory that its ranks share, or all by MPI; says which: by MPI where
    /// /dev/shm has no room. The memory stays until the communicator ends: at most 16 MiB for up to 32 ranks together,
    /// and
    /// 8 KiB for each pair of ranks; 18 KiB for each pair of more than 32. All ranks have to call and want the same.
    /// Requires that nothing is under way.
    [[gnu::cold]] bool share_memory(bool wanted) {
        supervisor_.watch(call_watch::counting, false);
        if (sharing_ == memory_sharing::never) { wanted = false; }
        if (sharing_ == memory_sharing::always && size_ > 1) { wanted = true; }
        if (wanted && !node_.is_there()) { node_.make(own_, rank_, nodes()); }
        return shares_memory_ = wanted && node_.is_there();
    }

    /// All ranks say the same, between the same collectives.
    [[gnu::cold]] void sharing(memory_sharing how) {
        sharing_ = how;
        share_memory(shares_memory_);
        static bool const is_simulated = messaging::is_simulated<communicator>();
        supervisor_.watch(call_watch::counting,
                        how == memory_sharing::automatic && size_ > 1 && !node_.is_there() && !is_simulated);
    }

    [[nodiscard]] bool shares_memory() const noexcept { return shares_memory_; }

    /// Which way messages go and why.
    [[nodiscard]] std::string transport() const {
        if (shares_memory_) {
            std::string result = node_.is_whole() ? "through memory" : "through memory on a node, else by MPI";
            if (node_.get() == nullptr) { return result; }
            bool const in_one = node_->longest_lent() == std::numeric_limits<std::size_t>::max();
            return result + (in_one ? "; long messages there by single copies" : "; long messages there in pieces");
        }
        return node_.why_not().empty() ? "by MPI" : "by MPI (" + node_.why_not() + ")";
    }
    /// Why memory is not shared, though that was wanted.
    [[nodiscard]] std::string const& why_not_shared() const noexcept { return node_.why_not(); }

    /// This rank exchanges nothing with some ranks in this call, for want of elements, see `empty_calls`.
    [[gnu::cold]] void leave_empty(int tag, call const& entered) {
        empty_calls_.add(tag, entered);
        supervisor_.watch(call_watch::empty, true);
    }
    /// At the end of a call. Throws if a message has come to an earlier one that had no elements.
    [[gnu::cold]] void require_empty_calls() {
        empty_calls_.end_call(rank_, [this](int each) { return sender_of(each); });
        supervisor_.watch(call_watch::empty, !empty_calls_.empty());
    }

    /// Whether calls on one node go through memory, or are going to if there are many. The same on all ranks.
    [[nodiscard]] bool will_share_memory() const noexcept {
        return shares_memory_ || (supervisor_.watches(call_watch::counting) && none_allows_threads_);
    }

    /// A blocking call begins whose vectors have `bytes` bytes, 0 if not all ranks know. True if all ranks have to
    /// consider sharing, see `sharing_decision`.
    [[nodiscard]] bool count_call(std::size_t bytes) noexcept { return sharing_decision_.count(bytes); }

    /// If it pays, messages within nodes go through memory from now on. `wait(request, peer)` waits for one message, of
    /// the tag `sharing_tag`.
    template <class Wait>
    [[gnu::cold]] void consider_sharing(Wait wait) {
        // where MPI lets other threads call meanwhile, it is not known that nothing is under way
        bool const is_idle = !supervisor_.any_under_way() && none_allows_threads_;
        auto const wait_for = [&](MPI_Request& one, int peer) { wait(request{.mpi = one}, peer); };
        if (!sharing_decision_.agree(own_, rank_, size_, sharing_tag(), is_idle, wait_for)) { return; }
        if (nodes().count(static_cast<std::size_t>(size_)) == static_cast<std::size_t>(size_)) {
            share_memory(false);
            node_.is_useless("no two ranks are on one node");
        } else if (share_memory(true)) {
            supervisor_.begin_generation();
        }
    }
    /// In the upper half, which nothing else uses.
    [[nodiscard]] int sharing_tag() const noexcept { return calls_.last() + half_of_tags_; }

    [[nodiscard]] tutti::store& store() noexcept { return store_; }
    [[nodiscard]] tutti::supervisor& supervisor() noexcept { return supervisor_; }

    /// Whether MPI lets this and other objects be used by several threads at the same time.
    [[nodiscard]] static bool allows_threads() { return progress_domain() != nullptr; }

    /// Another communicator of the same ranks; all of them have to call. Its sends end when they are received.
    [[nodiscard, gnu::cold]] std::unique_ptr<communicator> duplicate() {
        auto result = std::make_unique<communicator>(own_);
        result->synchronous_ = true;
        return result;
    }

    /// Messages from before stay with a communicator of MPI that is used no more, and never freed:
    /// they may never be received, their memory may be gone, and the next communicator might get them.
    [[gnu::cold]] void recover() {
        meet_for_recovery();
        begin_on(private_communicator(own_));
        tags_.agree(own_);  // some ranks may have failed to make a plan
        calls_ = tag_sequence{half_of_tags_, half_of_tags_ / 2};
        refused_ = 0;
        sharing_decision_.forget();  // some ranks may have left a call out
        notices_.forget();
        notices_.channel().forget();
        empty_calls_.clear();
        cancellation_.recover();
        if (node_.is_there()) {
            node_.make(own_, rank_, nodes());
            shares_memory_ = shares_memory_ && node_.is_there();
        }
    }

    /// See `mpi::drain`.
    void drain(std::span<request> sends) {
        if (is_finalised()) { return; }
        dynamic_array<MPI_Request> mpi;
        for (auto& each : sends) { mpi.push_back(std::exchange(each.mpi, MPI_REQUEST_NULL)); }
        mpi::drain(own_, mpi, processor_yield_);
    }

private:
    static constexpr std::size_t tests_between_notices = 64;
    static constexpr std::size_t largest = std::numeric_limits<int>::max();

    // complete before MPI is asked for anything, so that the destructor frees the duplicate whatever fails later
    communicator()
        : half_of_tags_{tagged_length::largest_plain_tag() / 2},
          tags_{half_of_tags_ / 2, half_of_tags_},
          calls_{half_of_tags_, half_of_tags_ / 2} {
        alive_.fetch_add(1, std::memory_order_relaxed);
    }

    // A message that is too long to be lent is copied there and back in pieces.
    [[nodiscard]] bool goes_through_memory(int peer) const noexcept { return shares_memory_ && node_.has(peer); }

    [[nodiscard]] int count_of(std::size_t bytes) const {
        if (bytes > limit_) { refuse_length(bytes); }
        return static_cast<int>(bytes);
    }
    [[noreturn, gnu::cold, gnu::noinline]] void refuse_length(std::size_t bytes) const {
        throw std::length_error{joined({"tutti: a message of ", bytes, " bytes is longer than the limit of ", limit_,
                                        "; cut it into shorter ones"})};
    }

    // Other ranks may still wait in a call, or for a receiver of what they have sent.
    [[gnu::cold]] void meet_for_recovery() {
        returned_errors const scope;
        meeting all{own_, meeting::purpose::recovery, true};
        do {
            processor_yield_.yield_processor();
            notices_.answer_all(empty_calls_, "in tutti::recover");
            farewells::go_on();
            if (auto const dead = deaths_.find(); dead != death_watch::no_rank) { throw rank_is_dead{dead}; }
        } while (discard_message() || !all.is_complete());
        if (all.has_one_purpose()) { return; }
        own_ = MPI_COMM_NULL;  // it has ended
        throw mismatched_calls{joined({"tutti::recover on rank ", rank_,
                                       " meets ranks at MPI_Comm_free or MPI_Finalize; "
                                       "call it on all ranks before"})};
    }

    // Of a message with this tag, or any, that no receive waits for; else MPI_PROC_NULL.
    [[nodiscard]] int sender_of(int tag) const {
        int const sought = tag == empty_calls::any_tag ? MPI_ANY_TAG : tag;
        auto const peer = node_.sender_of(sought);
        return peer != MPI_PROC_NULL ? peer : notices_.channel().sender_of(sought);
    }

    // After a failure; see `notice_channel::discard`.
    [[nodiscard]] bool discard_message() noexcept {
        try {
            return notices_.channel().discard(notices_.abandoned());
        } catch (...) { return false; }  // MPI has failed
    }

    void begin_on(MPI_Comm own) {
        own_ = own;
        ensure("MPI_Comm_set_errhandler", MPI_Comm_set_errhandler(own_, MPI_ERRORS_RETURN));
        ensure("MPI_Comm_rank", MPI_Comm_rank(own_, &rank_));
        ensure("MPI_Comm_size", MPI_Comm_size(own_, &size_));
        notices_.channel().open(own_);
    }

    inline static std::atomic<std::size_t> alive_{0};

    MPI_Comm own_ = MPI_COMM_NULL;
    int rank_ = 0;
    int size_ = 0;
    std::size_t limit_ = largest;
    bool ready_mode_ = false;
    bool synchronous_ = false;
    processor_yield processor_yield_;
    std::optional<node_map> nodes_;
    bool tags_lengths_ = tagged_length::is_possible();
    int half_of_tags_;  // the lower half is for data
    tag_pool tags_;
    tag_sequence calls_;
    std::int64_t refused_ = 0;  // number of the newest call that this rank has refused
    notices<notice_channel> notices_;
    empty_calls empty_calls_;
    death_watch deaths_;
    std::size_t fruitless_tests_ = 0;
    cancellation cancellation_;
    tutti::store store_;
    tutti::supervisor supervisor_;
    mpi_progress progress_;
    node::channel node_;  // made when it is wanted
    sharing_decision sharing_decision_;
    bool shares_memory_ = false;
    bool none_allows_threads_ = false;
    memory_sharing sharing_ = memory_sharing::automatic;
    std::shared_ptr<farewell> farewell_;
};

static_assert(lends_memory<communicator>);

}  // namespace tutti::mpi
