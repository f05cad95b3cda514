// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <list>
#include <mutex>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include <tutti/communicator.hpp>
#include <tutti/communicator/control_channel.hpp>
#include <tutti/communicator/threads/posted_operation.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/error.hpp>
#include <tutti/node_map.hpp>
#include <tutti/text.hpp>

namespace tutti::teams {

using threads::posted_operation;

/// Where a rank is: a thread of a process. The processes are the nodes of a map that names all ranks.
struct endpoint {
    int process = 0;
    int thread = 0;
};
[[nodiscard]] inline int first_of(node_map const& ranks, int process) {
    return static_cast<int>(ranks.first(static_cast<std::size_t>(process)));
}
[[nodiscard]] inline endpoint endpoint_of(node_map const& ranks, int rank) {
    auto const process = static_cast<int>(ranks.node_of(static_cast<std::size_t>(rank)));
    return {process, rank - teams::first_of(ranks, process)};
}

/// A notice between ranks, or the message of a round of `process::end`.
struct remote_notice {
    int from = 0;
    int to = 0;  ///< a thread; of round k: -1 - k
    std::array<std::byte, 512> notice{};
};

inline constexpr int withdrawn = -1;  // as `completion::error`, where MPI's are positive

/// The messages of a process's threads to those of others: by a communicator of the processes that nothing else uses.
/// One thread at a time calls it, which receives the messages of all. Where MPI is funneled that is always the thread
/// that has made this: it posts what the others defer when it looks for messages, and when it gives up
/// messages, it gives up those of all.
///
/// The processes know only tags: those for a pair of threads lie together, see `tag_between`.
template <tutti::communicator C>
class remote_channel {
public:
    using request = typename C::request;

    remote_channel(C& own, node_map const& ranks)
        : own_{own}, threads_{static_cast<int>(ranks.most_on_a_node(ranks.names_ranks()))} {
        auto const [first, last] = C::duplicate_tags();
        auto const pairs = static_cast<std::int64_t>(threads_) * threads_;
        auto const of_a_pair = (static_cast<std::int64_t>(last) - first - 1) / pairs;
        lengths_ = static_cast<int>(std::clamp<std::int64_t>(of_a_pair / usual_tags, 1, most_lengths));
        tags_ = static_cast<int>(of_a_pair / lengths_);
        own_.discard_unmatched(notice_tag_);
        if (tags_ < least_tags) {
            throw std::invalid_argument{text::joined(
                {"tutti: this MPI has ", last, " tags, which are too few for a team of ", threads_,
                 " threads a process; bring fewer threads, and more processes"})};
        }
    }
    remote_channel(remote_channel const&) = delete;
    remote_channel& operator=(remote_channel const&) = delete;
    ~remote_channel() {
        end_listening();
        for (auto const& each : sent_) {
            if (each.is_posted) { own_.cancel(each.under_way); }
        }
    }

    /// Tags of calls and plans are below.
    [[nodiscard]] int tags() const { return tags_; }
    /// That of a message of `bytes` bytes: one of another length is not received in its place.
    [[nodiscard]] int tag_for(int tag, std::size_t bytes) const {
        if (lengths_ < 3 || bytes < shortest) { return tag; }
        return tag + tags_ * (1 + static_cast<int>(bytes % static_cast<std::size_t>(lengths_ - 1)));
    }

    /// Whether one thread makes all calls.
    [[nodiscard]] bool is_funneled() const { return level_ < thread_level::serialized; }
    /// Whether this thread may call.
    [[nodiscard]] bool allows_this_thread() const { return !is_funneled() || std::this_thread::get_id() == owner_; }

    /// Posts a send or receive of a thread, to or from a rank of another process.
    void post(posted_operation& posted, endpoint self, endpoint peer) {
        auto const lock = waiting_lock{*this};
        if (has_given_up_.load()) { throw control::message_withdrawn{}; }
        auto const& [from, to] = posted.is_send() ? std::pair{self, peer} : std::pair{peer, self};
        deferred_.push_back({&posted, peer.process, tag_between(from.thread, to.thread, posted.tag)});
        if (allows_this_thread()) { post_deferred(); }
    }
    /// Completes operations of all threads, by `complete(operation)`, unless another thread does so now.
    template <class Complete>
    void progress(Complete complete) {
        if (asking_.load(std::memory_order_relaxed) != 0 || !allows_this_thread()) { return; }
        auto const lock = std::unique_lock{guard_, std::try_to_lock};
        if (!lock) { return; }
        post_deferred();
        if (requests_.empty()) { return; }
        done_.resize(std::max(done_.size(), requests_.size()));
        auto const count = own_.test_some(all_of(requests_), all_of(done_));
        for (std::size_t i = 0; i != count; ++i) {
            auto& ended = *std::exchange(operations_[done_[i].index], nullptr);
            ended.received = done_[i].bytes;
            ended.error = done_[i].error;
            complete(ended);
        }
        if (count != 0) { remove_ended(); }
    }
    /// Throws if the messages of all threads have been given up by the thread of rank `funnel`.
    void require_messages(int funnel) {
        if (!has_given_up_.load()) { return; }
        auto const lock = waiting_lock{*this};
        throw peer_failed{funnel, why_given_up_.empty() ? "it has given up a call" : why_given_up_};
    }
    /// Gives up operations of a thread, whose messages have `tag`, because of `why`. One that must not call waits for
    /// the thread that may: that is in a call which fails, too. Operations of other threads that end thereby:
    /// `complete(operation)`.
    template <class Complete>
    void give_up(std::span<posted_operation* const> given_up, int tag, std::string_view why, Complete complete) {
        auto const is_given_up = [&](posted_operation const* each) {
            return std::find(given_up.begin(), given_up.end(), each) != given_up.end();
        };
        while (!allows_this_thread() && !take_back(is_given_up)) { std::this_thread::yield(); }
        if (!allows_this_thread() || (given_up.empty() && !is_funneled())) { return; }
        auto const lock = waiting_lock{*this};
        if (is_funneled() && !has_given_up_.load()) { why_given_up_ = why; }
        has_given_up_ = is_funneled();
        dynamic_array<request> requests;
        dynamic_array<posted_operation*> of_others;
        for (auto const& each : std::exchange(deferred_, {})) { of_others.push_back(each.posted); }
        for (std::size_t i = 0; i != operations_.size(); ++i) {
            bool const is_own = is_given_up(operations_[i]);
            if (!is_own && !is_funneled()) { continue; }
            requests.push_back(requests_[i]);
            if (!is_own) { of_others.push_back(operations_[i]); }
            operations_[i] = nullptr;
        }
        remove_ended();
        own_.give_up(all_of(requests), tag);
        for (auto* const each : of_others) {
            each->error = withdrawn;
            complete(*each);
        }
    }
    /// Whether such messages are under way.
    template <class Predicate>
    [[nodiscard]] bool holds_messages(Predicate are_such) {
        auto const lock = waiting_lock{*this};
        return std::any_of(operations_.begin(), operations_.end(), [&](auto* each) { return are_such(*each); });
    }
    [[noreturn]] void raise(int code) {
        auto const lock = waiting_lock{*this};
        own_.raise({.error = code});
    }

    // ---- notices ---------------------------------------------------------------------------------------------------

    /// To a process. If this thread may not call, another one sends it when it looks for some.
    void notify(int process, remote_notice const& what) {
        auto const lock = waiting_lock{*this};
        sent_.push_back({what, process});
        if (allows_this_thread()) { send_notices(); }
    }
    /// Whether the message of a round of `process::end` is still under way.
    [[nodiscard]] bool sends_round() {
        auto const lock = waiting_lock{*this};
        return std::any_of(sent_.begin(), sent_.end(), [](sending const& each) { return each.what.to < 0; });
    }
    /// Calls `take(notice)` for each that has arrived.
    template <class Take>
    void take_notices(Take take) {
        auto const lock = std::unique_lock{guard_, std::try_to_lock};
        if (!lock || !allows_this_thread()) { return; }
        send_notices();
        listen();
        while (auto const count = own_.test_some(all_of(listening_), all_of(heard_))) {
            for (std::size_t i = 0; i != count; ++i) {
                auto const process = heard_[i].index;
                take(incoming_[process]);
                receive_notice(process);
            }
        }
    }

    // ---- together, one thread of each process ----------------------------------------------------------------------

    /// Makes the messages of the processes usable again. Each of `numbers` becomes the greatest of all processes.
    void recover(std::span<std::int64_t> numbers) {
        auto const lock = waiting_lock{*this};
        end_listening();  // but what is being sent may still end a call
        has_given_up_ = false;
        own_.recover();
        messaging::control_channel<C> channel{own_};
        messaging::payload const mine(numbers.begin(), numbers.end());
        messaging::payload most = mine;
        for (auto const& each : channel.gather(mine)) {
            for (std::size_t i = 0; i != most.size(); ++i) { most[i] = std::max(most[i], each[i]); }
        }
        channel.broadcast(most);
        std::copy(most.begin(), most.end(), numbers.begin());
    }
    /// The next tag for a plan: the same on all processes.
    [[nodiscard]] int new_tag() {
        auto const lock = waiting_lock{*this};
        int const tag = own_.new_tag();
        if (tag < tags_ / 2) { return tag; }
        throw std::runtime_error{
            text::joined({"tutti: ", tag, " plans of a team live, for which there are no more tags; end some"})};
    }
    void release_tag(int tag) {
        auto const lock = waiting_lock{*this};
        own_.release_tag(tag);
    }

    [[nodiscard]] std::string transport() const { return own_.transport(); }
    [[nodiscard]] std::size_t message_limit() const { return own_.message_limit(); }

private:
    static constexpr std::int64_t usual_tags = 1 << 14;
    static constexpr std::int64_t most_lengths = 16'382;
    static constexpr int least_tags = 64;
    static constexpr std::size_t shortest = 2049;  // bytes, as `mpi::tagged_length`

    struct deferred_operation {
        posted_operation* posted;
        int process;
        int tag;
    };
    struct sending {
        remote_notice what;
        int process = 0;
        bool is_posted = false;
        request under_way = C::inactive();
    };

    [[nodiscard]] int tag_between(int from, int to, int tag) const {
        return notice_tag_ + 1 + (from * threads_ + to) * (tags_ * lengths_) + tag;
    }

    void post_deferred() {
        try {
            for (auto const& [posted, process, tag] : deferred_) {
                requests_.reserve(requests_.size() + 1);
                operations_.reserve(operations_.size() + 1);
                requests_.push_back(posted->is_send() ? own_.send(process, tag, {posted->source, posted->size})
                                                      : own_.receive(process, tag, {posted->target, posted->size}));
                operations_.push_back(posted);
            }
            deferred_.clear();
        } catch (...) {
            deferred_.clear();
            throw;
        }
    }
    /// Whether none of the operations has been posted.
    template <class Predicate>
    [[nodiscard]] bool take_back(Predicate is_given_up) {
        auto const lock = waiting_lock{*this};
        deferred_.erase_if([&](deferred_operation const& each) { return is_given_up(each.posted); });
        return std::none_of(operations_.begin(), operations_.end(), is_given_up);
    }

    void send_notices() {
        for (auto& each : sent_) {
            if (std::exchange(each.is_posted, true)) { continue; }
            each.under_way = own_.send(each.process, notice_tag_, std::as_bytes(std::span{&each.what, 1}));
        }
        completion done;
        sent_.remove_if([&](sending& each) {
            return own_.test_some(std::span{&each.under_way, 1}, std::span{&done, 1}) != 0;
        });
    }
    void listen() {
        if (!incoming_.empty()) { return; }
        auto const processes = static_cast<std::size_t>(own_.size());
        incoming_.resize(processes);
        listening_.resize(processes);
        heard_.resize(processes);
        for (std::size_t each = 0; each != processes; ++each) {
            listening_[each] = C::inactive();
            if (each != static_cast<std::size_t>(own_.rank())) { receive_notice(each); }
        }
    }
    void receive_notice(std::size_t process) {
        auto const memory = std::as_writable_bytes(std::span{&incoming_[process], 1});
        listening_[process] = own_.receive(static_cast<int>(process), notice_tag_, memory);
    }
    void end_listening() {
        for (auto const& each : listening_) {
            if (!(each == C::inactive())) { own_.cancel(each); }
        }
        incoming_.clear();
        listening_.clear();
    }

    /// Has the lock before those that only look: they look again and again.
    class waiting_lock {
    public:
        explicit waiting_lock(remote_channel& of) : of_{of} {
            ++of_.asking_;
            of_.guard_.lock();
            --of_.asking_;
        }
        waiting_lock(waiting_lock const&) = delete;
        waiting_lock& operator=(waiting_lock const&) = delete;
        ~waiting_lock() { of_.guard_.unlock(); }

    private:
        remote_channel& of_;
    };

    template <class T>
    [[nodiscard]] static std::span<T> all_of(dynamic_array<T>& all) {
        return {all.data(), all.size()};
    }
    void remove_ended() {
        std::size_t kept = 0;
        for (std::size_t i = 0; i != operations_.size(); ++i) {
            if (operations_[i] == nullptr) { continue; }
            operations_[kept] = operations_[i];
            requests_[kept++] = requests_[i];
        }
        operations_.resize(kept);
        requests_.resize(kept);
    }

    C& own_;
    int threads_;  // of the process that has most
    int notice_tag_ = C::duplicate_tags().first;
    int lengths_ = 1;  // a message's length is part of its tag, as a number below this one
    int tags_ = 0;     // for one pair of threads, and one such number
    std::thread::id owner_ = std::this_thread::get_id();
    thread_level level_ = C::thread_support();
    std::mutex guard_;
    std::atomic<int> asking_ = 0;  // threads that wait for the lock
    std::atomic<bool> has_given_up_ = false;  // all messages, until all ranks recover
    std::string why_given_up_;
    dynamic_array<deferred_operation> deferred_;  // not posted yet
    dynamic_array<request> requests_;
    dynamic_array<posted_operation*> operations_;  // of each
    dynamic_array<completion> done_;
    std::list<sending> sent_;
    dynamic_array<remote_notice> incoming_;  // from each process
    dynamic_array<request> listening_;
    dynamic_array<completion> heard_;
};

}  // namespace tutti::teams
