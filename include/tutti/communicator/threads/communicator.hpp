// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>

#include <tutti/communicator.hpp>
#include <tutti/communicator/threads/call_log.hpp>
#include <tutti/communicator/threads/error.hpp>
#include <tutti/communicator/threads/posted_operation.hpp>
#include <tutti/communicator/threads/perturbation.hpp>
#include <tutti/communicator/threads/team.hpp>
#include <tutti/communicator/threads/waiting.hpp>
#include <tutti/node_map.hpp>
#include <tutti/text.hpp>

namespace tutti::threads {

/// One rank of a team of threads; a model of `tutti::communicator` and `lends_objects`.
///
/// Sends are synchronous: a request to send ends when its message has been received, so that what runs here does
/// not rely on a buffer elsewhere. Used by one thread at a time. Whatever a function throws has ended the
/// team; from then on no other rank touches the memory of this rank's requests, nor may this rank read what it
/// has borrowed, and `cancel` and `give_back` do nothing, and all others throw.
class communicator : public communicator_defaults<communicator> {
public:
    using request = threads::request;
    static constexpr bool one_address_space = true;
    static constexpr bool compares_calls = true;

    communicator(team& shared, int rank) : team_{&shared}, rank_{rank} {
        nodes(shared.chosen.nodes);
        if (shared.chosen.perturb) { perturbation_.emplace(*shared.chosen.perturb, rank); }
    }
    communicator(communicator const&) = delete;
    communicator& operator=(communicator const&) = delete;

    [[nodiscard]] static request inactive() noexcept { return {}; }
    [[nodiscard]] int rank() const noexcept { return rank_; }
    [[nodiscard]] int size() const noexcept { return team_->size; }
    [[nodiscard]] std::size_t message_limit() const noexcept { return team_->chosen.message_limit; }
    [[nodiscard]] tutti::control::store& store() noexcept { return store_; }
    [[nodiscard]] tutti::control::supervisor& supervisor() noexcept { return supervisor_; }

    [[nodiscard]] std::unique_ptr<communicator> duplicate() {
        return std::make_unique<communicator>(team_->duplicate(duplicates_++), rank_);
    }

    /// 1, 2, 3, ... on every rank.
    [[nodiscard]] int new_tag() noexcept { return last_tag_ = last_tag_ == first_call - 1 ? 1 : last_tag_ + 1; }

    /// The tags above those.
    [[nodiscard]] int new_call_tag() noexcept {
        return last_call_ = last_call_ == std::numeric_limits<int>::max() ? first_call : last_call_ + 1;
    }

    /// Throws if the team has ended: it cannot be used again.
    void recover() { begin(); }

    /// Throws `mismatch` if other ranks are known to make other calls. Those that find out later throw where they meet
    /// a message of such a rank, or get no further, so that no message is taken for what it is not; what no message
    /// shows is found out when a rank returns.
    void enter(control::call const& entered) {
        begin();
        calls_ = team_->guard.enter(rank_, entered);
        if (team_->guard.ended()) { throw_ended(); }
    }

    [[nodiscard]] request send(int peer, int tag, std::span<std::byte const> data) {
        begin();
        check_message(peer, "to", data.size());
        auto& posted = operations_.take().begin(posted_operation::kind::send, rank_, peer, tag, data.size(), calls_);
        posted.source = data.data();
        team_->traffic.count(rank_, peer, data.size());
        if (perturbation_) {
            perturbation_->hold(posted);
            deliver_some();
        } else {
            post(posted);
        }
        return {&posted};
    }

    [[nodiscard]] request receive(int peer, int tag, std::span<std::byte> memory) {
        return receive(posted_operation::kind::receive, peer, tag, memory.data(), memory.size());
    }

    [[nodiscard]] request receive_lent(int peer, int tag, std::size_t bytes) {
        return receive(posted_operation::kind::receive_lent, peer, tag, nullptr, bytes);
    }

    /// Lets the send of the lent memory end. Once for each completion that has a `lease`.
    void give_back(completion const& done) {
        if (done.lease != nullptr) { team_->messages.give_back(rank_, *static_cast<posted_operation*>(done.lease)); }
    }

    std::size_t test_some(std::span<request> requests, std::span<completion> done) {
        begin();
        if (perturbation_) {
            deliver_some();
            if (perturbation_->one_in(4)) { return 0; }
        }
        auto const count = collect(requests, done);
        if (count == 0 && ++fruitless_tests_ % tests_per_comparison == 0) { team_->guard.compare_calls(); }
        return count;
    }

    std::size_t wait_some(std::span<request> requests, std::span<completion> done) {
        begin();
        if (done.empty() || !any_active(requests)) { return 0; }
        backoff_.begin();
        for (bool has_slept = false;;) {
            if (perturbation_) { deliver_some(); }
            if (auto const count = collect(requests, done)) { return count; }
            if (team_->guard.ended()) { throw_ended(); }
            if (!has_slept && backoff_.next() != control::backoff::step::sleep) { continue; }
            if (!std::exchange(has_slept, true)) { backoff_.slept(); }
            deliver_all();
            team_->guard.block(rank_, requests);
        }
    }

    /// Gives up a request: no rank accesses its memory any more. Ends the team if its message is under way. For
    /// destructors, so it throws nothing.
    void cancel(request given_up) noexcept {
        if (given_up.pending == nullptr) { return; }
        auto& posted = *given_up.pending;
        if (!team_->guard.ended()) {
            auto const unmet = (perturbation_ && perturbation_->forget(posted)) || team_->messages.withdraw(posted);
            // a message that is just being delivered is there in a moment
            for (int i = 0; !unmet && i < 1000 && !posted.is_complete(); ++i) { std::this_thread::yield(); }
            if (unmet || posted.is_complete()) {
                if (!unmet) { team_->messages.decline(posted); }
                put_back(posted);
                return;
            }
            team_->guard.abandon(rank_);
        }
        team_->messages.quiesce(rank_);
    }

    /// Calls `visit` with every operation that has not been reported; for the end of a run.
    template <class Visit>
    void for_each_unfinished(Visit visit) {
        operations_.for_each([&](posted_operation& each) {
            if (each.active) { visit(each); }
        });
    }

private:
    static constexpr int first_call = 1 << 30;
    static constexpr std::size_t tests_per_comparison = 1024;

    void begin() {
        if (team_->guard.ended()) { throw_ended(); }
        if (perturbation_) { perturbation_->pause(); }
    }

    [[noreturn]] void throw_ended() {
        team_->messages.quiesce(rank_);
        team_->guard.throw_ended();
    }

    /// An exception frees the memory of this rank's requests: no other rank may access it then, so the team ends first.
    template <class Error>
    [[noreturn]] void fail(Error const& wrong) {
        team_->guard.fail(wrong);
        team_->messages.quiesce(rank_);
        throw wrong;
    }

    void check_message(int peer, char const* direction, std::size_t bytes) {
        if (peer < 0 || peer >= size()) {
            fail(error{"tutti: rank " + std::to_string(rank_) + " posted a message " + direction + " rank " +
                       std::to_string(peer) + ", but the team has ranks 0 to " + std::to_string(size() - 1)});
        }
        if (bytes > message_limit()) {
            fail(error{"tutti: rank " + std::to_string(rank_) + " posted a message of " + std::to_string(bytes) +
                       " bytes " + direction + " rank " + std::to_string(peer) + ", but the limit is " +
                       std::to_string(message_limit()) + " bytes: send it in parts"});
        }
    }

    void put_back(posted_operation& ended) noexcept {
        ended.active = false;
        operations_.put_back(ended);
    }

    [[nodiscard]] request receive(posted_operation::kind what, int peer, int tag, std::byte* memory,
                                  std::size_t bytes) {
        begin();
        check_message(peer, "from", bytes);
        auto& posted = operations_.take().begin(what, rank_, peer, tag, bytes, calls_);
        posted.target = memory;
        post(posted);
        return {&posted};
    }

    void post(posted_operation& posted) {
        if (!team_->messages.post(posted)) { throw_ended(); }
    }

    void deliver_some() {
        while (perturbation_->one_in(2)) {
            auto* const held = perturbation_->release();
            if (held == nullptr) { return; }
            post(*held);
        }
    }

    void deliver_all() {
        if (!perturbation_) { return; }
        while (auto* const held = perturbation_->release()) { post(*held); }
    }

    [[nodiscard]] std::size_t collect(std::span<request> requests, std::span<completion> done) {
        if (perturbation_) { return collect_by_chance(requests, done); }
        std::size_t count = 0;
        for (std::size_t index = 0; index < requests.size() && count < done.size(); ++index) {
            auto const* const each = requests[index].pending;
            if (each == nullptr || !each->is_complete()) { continue; }
            if (!report(requests, index, done, count)) { break; }
        }
        return count;
    }

    /// Some of the requests that have ended, in any order; at least one if there is one.
    [[nodiscard]] std::size_t collect_by_chance(std::span<request> requests, std::span<completion> done) {
        auto& ready = perturbation_->ready;
        ready.clear();
        for (std::size_t index = 0; index < requests.size(); ++index) {
            auto const* const each = requests[index].pending;
            if (each != nullptr && each->is_complete()) { ready.push_back(index); }
        }
        if (ready.empty() || done.empty()) { return 0; }
        perturbation_->shuffle(ready);
        ready.resize(1 + perturbation_->below(ready.size()));
        std::size_t count = 0;
        for (auto const index : ready) {
            if (count == done.size() || !report(requests, index, done, count)) { break; }
        }
        return count;
    }

    /// Adds a request that is complete to `done`. One that failed is thrown, but only when no others would be
    /// lost by that: false if it has to wait.
    [[nodiscard]] bool report(std::span<request> requests, std::size_t index, std::span<completion> done,
                              std::size_t& count) {
        auto& ended = *requests[index].pending;
        completion result{.index = index};
        if (!ended.is_send()) {
            if (ended.received > ended.size) {
                if (count > 0) { return false; }
                fail(message_too_long{text::joined(
                    {"tutti: ", supervisor_.text_of_call(ended.tag), ": rank ", ended.peer, " sent ",
                     text::word(ended.received, "byte"), " with tag ", ended.tag, " to rank ", rank_,
                     ", which receives at most ", ended.size,
                     "; give every rank the same number of elements, and counts that fit their vectors"})});
            }
            result.bytes = ended.received;
            if (ended.partner != nullptr) {
                if (!team_->messages.borrow(rank_, ended.peer)) { throw_ended(); }
                result.lent = ended.source;
                result.lease = ended.partner;
            }
        }
        put_back(ended);
        requests[index] = inactive();
        done[count++] = result;
        return true;
    }

    team* team_;
    int rank_;
    int last_tag_ = 0;
    std::size_t duplicates_ = 0;
    int last_call_ = first_call - 1;
    call_digest_count calls_;
    std::size_t fruitless_tests_ = 0;
    control::backoff backoff_{limits_of_polls(team_->oversubscribed)};
    posted::pool<posted_operation> operations_;
    std::optional<perturbation> perturbation_;
    tutti::control::store store_;  // last, for its objects may use the rest when they are destroyed
    tutti::control::supervisor supervisor_;
};

}  // namespace tutti::threads

namespace tutti {

namespace control {

template <>
inline constexpr bool in_one_process<threads::communicator> = true;

}  // namespace control

template <>
struct communicator_of<threads::communicator> {
    /// A rank's communicator is never const itself; users may well hand it on as such.
    [[nodiscard]] static threads::communicator& get(threads::communicator const& world) noexcept {
        return const_cast<threads::communicator&>(world);
    }
};

static_assert(control::lends_objects<threads::communicator>);

}  // namespace tutti
