// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include <tutti/communicator.hpp>
#include <tutti/communicator/mpi/agreement.hpp>
#include <tutti/communicator/mpi/cancellation.hpp>
#include <tutti/communicator/mpi/control_plane.hpp>
#include <tutti/communicator/mpi/declarations.hpp>
#include <tutti/communicator/mpi/deferred_free.hpp>
#include <tutti/communicator/mpi/device_memory.hpp>
#include <tutti/communicator/mpi/error.hpp>
#include <tutti/communicator/mpi/nodes.hpp>
#include <tutti/communicator/mpi/point_to_point.hpp>
#include <tutti/communicator/mpi/private_communicator.hpp>
#include <tutti/communicator/mpi/running.hpp>
#include <tutti/communicator/mpi/sharing_decision.hpp>
#include <tutti/communicator/mpi/tag_pool.hpp>
#include <tutti/communicator/tag_sequence.hpp>
#include <tutti/node_map.hpp>

namespace tutti::mpi {

/// A communicator of MPI for tutti's messages alone: a private duplicate of the user's, so that the messages,
/// wildcards and tags of the two never meet. Models `tutti::communicator`. Where its ranks share memory, its messages
/// may go through that, see `share_memory`.
///
/// Errors of MPI are thrown as `mpi::error`, whatever the error handler of the user's communicator is. Those of a
/// message are reported with its completion and affect no other request. One thread at a time may use an object.
class communicator : public point_to_point {
public:
    /// Of no ranks until `open`; what a rank may lack alone, it lacks here.
    communicator() { alive_.fetch_add(1, std::memory_order_relaxed); }

    /// Duplicates `original`; all its ranks have to call.
    [[gnu::cold]] explicit communicator(MPI_Comm original) : communicator{} { open(original); }
    [[gnu::cold]] void open(MPI_Comm original) {
        deferred_frees::progress();
        begin_on(private_communicator(original));
    }

    communicator(communicator const&) = delete;
    communicator& operator=(communicator const&) = delete;

    /// Waits for no other rank: MPICH lets attributes of a freed communicator end, and so this object, when its
    /// operations under way on this rank have ended, while others may have gone on to what needs this rank.
    [[gnu::cold]] ~communicator() {
        close();
        alive_.fetch_sub(1, std::memory_order_relaxed);
    }

    /// This rank makes no more calls: waits for its own plans that run, and frees the communicator when all ranks have
    /// called, or ended the object, see `deferred_free`.
    [[gnu::cold]] void close() noexcept {
        deferred_frees::progress();
        supervisor_.close();
        store_.clear();  // may still send and receive
        auto const own = std::exchange(own_, MPI_COMM_NULL);
        if (own != MPI_COMM_NULL) { control_.defer_free(own, std::move(tags_), node_, !supervisor_.failed()); }
    }

    /// How many objects of this class exist in the process.
    [[nodiscard]] static std::size_t alive() noexcept { return alive_.load(std::memory_order_relaxed); }

    /// Prepares what collectives need, see `agree` and `control_plane`; all ranks have to call.
    /// Finds the nodes, too: in the first call a rank that refuses it would not.
    [[gnu::cold]] void begin() {
        auto const agreed = agree(own_);
        supervisor_.set_hook(control::call_hook::comparing, agreed.checks_calls);
        supervisor_.time_limit(agreed.timeout);
        sharing(agreed.sharing);
        static_cast<void>(nodes());
        control_.begin(own_, agreed.identity);
    }

    void notify_all(control::failure_kind what, int tag, std::string_view why) {
        control_.notify_all(what, tag, number_of(tag), why);
    }
    void poll_notices(std::span<request> waiting = {}) {
        tags_.poll();
        control_.poll_notices(rank_, calls_, tags_.taken(), waits_, supervisor_, node_);
        length_mismatch_.withdraw(waiting);
    }

    [[gnu::cold]] void require_readable(void const* first) const { device_memory::refuse(first); }

    /// See `cancellation`.
    void cancel(request given_up) noexcept { control_.give_up(std::span{&given_up, 1}, false); }
    void give_up(std::span<request> requests, std::optional<int> tag) noexcept {
        control_.give_up(requests, tag.has_value());
    }

    [[nodiscard]] static std::int64_t now() { return static_cast<std::int64_t>(MPI_Wtime() * 1e9); }

    /// A tag of a quarter of MPI's, for 8190 plans that live at a time at the least, see `tag_pool`.
    [[nodiscard]] int new_tag() {
        return tags_.take(own_, [this] {
            poll_notices();
            std::this_thread::yield();
        });
    }
    void release_tag(int tag) noexcept { tags_.put_back(tag); }
    void discard_unmatched(int tag) { control_.discard_unmatched(tag); }
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

    /// Sends messages within a node through memory that its ranks share, or all by MPI; returns which: by MPI where
    /// /dev/shm has no room. The memory stays until the communicator ends: at most 16 MiB for up to 32 ranks together,
    /// and 16 KiB for each pair of ranks; 18 KiB for each pair of more than 32. All ranks have to call and want the
    /// same. Requires that nothing is under way.
    [[gnu::cold]] bool share_memory(bool wanted) {
        supervisor_.set_hook(control::call_hook::counting, false);
        if (sharing_ == memory_sharing::never) { wanted = false; }
        if (sharing_ == memory_sharing::always && size_ > 1) { wanted = true; }
        if (wanted && !node_.is_there()) {
            node_.make(own_, rank_, nodes());
            try {
                progress_.expect(usual_requests);
            } catch (std::bad_alloc const&) {  // then a call with that number of requests needs it
            }
        }
        return shares_memory_ = wanted && node_.is_there();
    }

    /// All ranks say the same, between the same collectives.
    [[gnu::cold]] void sharing(memory_sharing how) {
        sharing_ = how;
        share_memory(shares_memory_);
        static bool const is_simulated = messaging::is_simulated<communicator>();
        supervisor_.set_hook(control::call_hook::counting,
                             how == memory_sharing::automatic && size_ > 1 && !node_.is_there() && !is_simulated);
    }

    /// Which way messages go and why.
    [[nodiscard]] std::string transport() const {
        if (shares_memory_) {
            std::string result = node_.is_whole() ? "through memory" : "through memory on a node, else by MPI";
            if (node_.get() == nullptr) { return result; }
            auto const& copies = node_->memory().copies();
            if (copies.shortest(true) == node::single_copies::never) {
                return result + "; long messages there in pieces";
            }
            return result + "; long messages there " +
                   (copies.shortest(false) == node::single_copies::never ? "by single copies where they are only moved"
                                                                         : "by single copies");
        }
        return node_.why_not().empty() ? "by MPI" : "by MPI (" + node_.why_not() + ")";
    }
    /// Why memory is not shared, though that was wanted.
    [[nodiscard]] std::string const& why_not_shared() const noexcept { return node_.why_not(); }

    /// This rank exchanges nothing with some ranks in this call, since it has no elements for them, see
    /// `zero_count_calls`.
    [[gnu::cold]] void note_zero_count(int tag, control::call const& entered) {
        control_.note_zero_count(tag, entered);
        supervisor_.set_hook(control::call_hook::zero_counts, true);
    }
    /// At the end of a call. Throws if there is an unmatched message of an earlier one without elements.
    [[gnu::cold]] void require_no_unmatched_messages() {
        supervisor_.set_hook(control::call_hook::zero_counts, control_.find_unmatched_messages(rank_, node_));
    }

    /// Whether calls on one node go through memory, or are going to if there are many. The same on all ranks.
    [[nodiscard]] bool will_share_memory() const noexcept {
        return shares_memory_ || supervisor_.has_hook(control::call_hook::counting);
    }

    /// A blocking call begins whose vectors have `bytes` bytes, 0 if not all ranks know. True if all ranks have to
    /// consider sharing, see `sharing_decision`.
    [[nodiscard]] bool count_call(std::size_t bytes) noexcept { return sharing_decision_.count(bytes); }

    /// If it pays, messages within nodes go through memory from now on. `wait(request, peer)` waits for one message, of
    /// the tag `sharing_tag`.
    template <class Wait>
    [[gnu::cold]] void consider_sharing(Wait wait) {
        bool const is_idle = !supervisor_.any_under_way();
        auto const wait_for = [&](MPI_Request& one, int peer) { wait(request{.mpi = one}, peer); };
        if (sharing_decision_.agree(own_, rank_, size_, sharing_tag(), is_idle, wait_for)) { begin_sharing(); }
    }
    /// From now on. All ranks have to call, and nothing is under way.
    [[gnu::cold]] void begin_sharing() {
        if (auto const ranks = static_cast<std::size_t>(size_); nodes().count(ranks) == ranks) {
            share_memory(false);
            node_.note("no two ranks are on one node");
        } else if (share_memory(true)) {
            supervisor_.begin_generation();
        }
    }
    /// In the upper half, which nothing else uses.
    [[nodiscard]] int sharing_tag() const noexcept { return calls_.last() + half_of_tags(); }

    [[nodiscard]] static thread_level thread_support() {
        int level = MPI_THREAD_SINGLE;
        ensure("MPI_Query_thread", MPI_Query_thread(&level));
        return level == MPI_THREAD_MULTIPLE     ? thread_level::multiple
               : level == MPI_THREAD_SERIALIZED ? thread_level::serialized
               : level == MPI_THREAD_FUNNELED   ? thread_level::funneled
                                                : thread_level::single;
    }

    /// Its messages have no length in their tags, which are those above the others, see `tagged_length`; or in the
    /// upper half, below those of notices. They go through memory where that is not ruled out: no call counts what it
    /// saves.
    [[nodiscard, gnu::cold]] std::unique_ptr<communicator> duplicate() {
        auto result = std::make_unique<communicator>(own_);
        result->tags_lengths_ = false;
        result->sharing_ = sharing_;
        if (size_ > 1 && !messaging::is_simulated<communicator>()) { result->begin_sharing(); }
        return result;
    }
    [[nodiscard]] static tag_limits duplicate_tags() {
        if (tagged_length::is_possible()) { return {tagged_length::unit, std::numeric_limits<int>::max()}; }
        return {half_of_tags() + 2, 2 * half_of_tags() - 1};
    }

    /// Messages from before stay with a communicator of MPI that is used no more, and never freed:
    /// they may never be received, their memory may be gone, and the next communicator might get them.
    [[gnu::cold]] void recover() {
        control_.meet_for_recovery(own_, rank_);
        begin_on(private_communicator(own_));
        tags_.agree(own_);  // some ranks may have failed to make a plan
        calls_ = control::tag_sequence{half_of_tags(), half_of_tags() / 2};
        sharing_decision_.forget();  // some ranks may have left a call out
        control_.recover();
        if (node_.is_there()) {
            node_.make(own_, rank_, nodes());
            shares_memory_ = shares_memory_ && node_.is_there();
        }
    }

private:
    void begin_on(MPI_Comm own) {
        own_ = own;
        ensure("MPI_Comm_set_errhandler", MPI_Comm_set_errhandler(own_, MPI_ERRORS_RETURN));
        ensure("MPI_Comm_rank", MPI_Comm_rank(own_, &rank_));
        ensure("MPI_Comm_size", MPI_Comm_size(own_, &size_));
        control_.open(own_);
    }

    static constexpr std::size_t usual_requests = 256;  // as many as a progress engine has room for at first
    inline static std::atomic<std::size_t> alive_{0};

    bool ready_mode_ = false;
    std::optional<node_map> nodes_;
    tag_pool tags_{half_of_tags() / 2, half_of_tags()};
    control_plane control_;
    sharing_decision sharing_decision_;
    memory_sharing sharing_ = memory_sharing::automatic;
};

inline void point_to_point::poll_notices(std::span<request> waiting) {
    static_cast<communicator&>(*this).poll_notices(waiting);
}

static_assert(control::lends_memory<communicator>);

}  // namespace tutti::mpi
