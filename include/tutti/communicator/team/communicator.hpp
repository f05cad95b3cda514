// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include <tutti/communicator.hpp>
#include <tutti/communicator/backoff.hpp>
#include <tutti/communicator/notices.hpp>
#include <tutti/communicator/posted_operations.hpp>
#include <tutti/communicator/tag_sequence.hpp>
#include <tutti/communicator/team/process.hpp>
#include <tutti/communicator/zero_count_calls.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/text.hpp>

namespace tutti::teams {

/// The notices of a rank of a team.
template <tutti::communicator C>
class notice_channel {
public:
    notice_channel() = default;
    notice_channel(process<C>& shared, int thread) : shared_{&shared}, thread_{thread} {}

    [[nodiscard]] int rank() const { return shared_->first() + thread_; }
    [[nodiscard]] int size() const { return static_cast<int>(shared_->ranks().names_ranks()); }
    [[nodiscard]] static double now() { return static_cast<double>(C::now()) * 1e-9; }
    void notify(std::span<int const> peers, std::span<std::byte const> notice) {
        remote_notice addressed{.from = rank()};
        std::copy_n(notice.begin(), std::min(notice.size(), addressed.notice.size()), addressed.notice.begin());
        for (int const peer : peers) { shared_->notify(peer, addressed); }
    }
    [[nodiscard]] int next(std::span<std::byte> received) { return shared_->take_notice(thread_, received); }

private:
    process<C>* shared_ = nullptr;
    int thread_ = 0;
};

/// A rank of a team: a thread of one of several processes; a model of `tutti::communicator` that `lends_memory` between
/// threads of one process. `C` is the communicator of the processes. Used by one thread at a time.
template <tutti::communicator C>
class communicator : public communicator_defaults<communicator<C>> {
public:
    using request = threads::request;

    communicator(process<C>& shared, int thread)
        : shared_{shared}, at_{shared.self(), thread}, rank_{shared.first() + thread} {
        notices_.channel() = notice_channel<C>{shared, thread};
        this->nodes(shared.ranks());
    }
    communicator(communicator const&) = delete;
    communicator& operator=(communicator const&) = delete;
    ~communicator() {
        supervisor_.close();
        store_.clear();
    }

    [[nodiscard]] static request inactive() noexcept { return {}; }
    [[nodiscard]] int rank() const noexcept { return rank_; }
    [[nodiscard]] int size() const noexcept { return size_; }
    [[nodiscard]] std::size_t message_limit() const { return shared_.others().message_limit(); }
    [[nodiscard]] tutti::control::store& store() noexcept { return store_; }
    [[nodiscard]] tutti::control::supervisor& supervisor() noexcept { return supervisor_; }
    [[nodiscard]] std::string transport() const {
        auto const between = shared_.others().transport();
        return "between threads in place" + (between.empty() ? "" : ", between processes " + between);
    }

    [[nodiscard]] int new_tag() {
        return shared_.tag_of_plan(++plans_, [this] {
            poll_notices();
            std::this_thread::yield();
        });
    }
    void release_tag(int tag) { shared_.release_tag(tag); }
    [[nodiscard]] int new_call_tag() noexcept { return calls_.next(); }
    [[nodiscard]] std::int64_t number_of(int tag) const {
        return tag < calls_.first() ? shared_.number_of_plan(tag) : calls_.number_of(tag);
    }
    [[nodiscard]] int tag_for(int peer, int tag, std::size_t bytes) const {
        return lends(peer) ? tag : shared_.others().tag_for(tag, bytes);
    }

    [[nodiscard]] request send(int peer, int tag, std::span<std::byte const> data) {
        auto& posted = begin(posted_operation::kind::send, peer, tag, data.size());
        posted.source = data.data();
        return post(posted);
    }
    [[nodiscard]] request receive(int peer, int tag, std::span<std::byte> memory) {
        auto& posted = begin(posted_operation::kind::receive, peer, tag, memory.size());
        posted.target = memory.data();
        return post(posted);
    }

    static constexpr bool lends_operands = true;
    [[nodiscard]] static bool lends() { return true; }
    [[nodiscard]] bool lends(int peer) const {
        int const thread = peer - shared_.first();
        return thread >= 0 && thread < shared_.threads();
    }
    [[nodiscard]] request receive_lent(int peer, int tag, std::size_t bytes) {
        return post(begin(posted_operation::kind::receive_lent, peer, tag, bytes));
    }
    void give_back(completion const& done) {
        auto* const send = static_cast<posted_operation*>(done.lease);
        auto* const found = std::find(borrowed_.begin(), borrowed_.end(), send);
        if (found == borrowed_.end()) { return; }  // given up
        *found = borrowed_.back();
        borrowed_.pop_back();
        shared_.local().complete(*send);
    }

    [[nodiscard]] funneled_ranks funneled() const { return shared_.funneled(); }
    void end_exchange() {
        shared_.end_exchange(at_.thread, [this] {
            poll_notices();
            std::this_thread::yield();
        });
    }

    std::size_t test_some(std::span<request> requests, std::span<completion> done) {
        if (shared_.is_funnel() || any_remote(requests)) { shared_.progress(); }
        auto const count = collect(requests, done);
        if (count == 0 && ++fruitless_tests_ % looks_between_notices == 0) { poll_notices(); }
        return count;
    }
    std::size_t wait_some(std::span<request> requests, std::span<completion> done) {
        ++waits_;
        bool const any = std::any_of(requests.begin(), requests.end(),
                                     [](request const& each) { return each.pending != nullptr; });
        if (done.empty() || !any) { return 0; }
        bool const is_remote = shared_.is_funnel() || any_remote(requests);
        backoff_.begin();
        bool has_slept = false;
        for (unsigned look = 1;; ++look) {
            if (is_remote) { shared_.progress(); }
            if (auto const count = collect(requests, done)) { return count; }
            bool const sleeps = has_slept || backoff_.next() == control::backoff::step::sleep;
            if (sleeps || look % (is_remote ? looks_between_notices : polls_between_notices) == 0) { poll_notices(); }
            if (!sleeps) { continue; }
            if (!std::exchange(has_slept, true)) { backoff_.slept(); }
            shared_.local().sleep(at_.thread, requests, is_remote ? sleep_between_polls : longest_sleep);
        }
    }

    void cancel(request given_up) noexcept { give_up_all(std::span{&given_up, 1}, 0); }
    void give_up(std::span<request> requests, int tag) noexcept {
        for (auto i = borrowed_.size(); i-- != 0;) {  // of this call
            if (borrowed_[i]->tag == tag) { give_back({.lease = borrowed_[i]}); }
        }
        give_up_all(requests, tag);
    }

    [[noreturn]] void raise(completion const& failed) const {
        if (failed.error == withdrawn) { throw control::message_withdrawn{}; }
        shared_.others().raise(failed.error);
    }
    void notify_all(control::failure_kind what, int tag, std::string_view why) {
        notices_.notify_all(what, tag, number_of(tag), place() + ": " + std::string{why});
    }
    void poll_notices() {
        notices_.poll(calls_, plans_, supervisor_, zero_counts_, waits_);
        shared_.others().require_messages(shared_.first());
        if (auto const* const here = supervisor_.waiting()) { require_all(*here); }
    }
    void note_zero_count(int tag, control::call const& entered) { zero_counts_.add(tag, entered); }

    void recover() {
        shared_.give_up({}, 0, {});
        plans_ = shared_.recover(at_.thread, [this] {
            answer_all("in tutti::recover");
            std::this_thread::yield();
        });
        calls_ = fresh_calls();
        notices_.forget();
        zero_counts_.clear();
    }

    /// A thread takes this rank; false if another one has it.
    [[nodiscard]] bool take() { return shared_.take(at_.thread, [this] { return calls_begun(); }); }
    /// It gives the rank back, perhaps because an exception has left it. The others learn of that at once, and of a
    /// thread that has posted messages for them.
    void leave(bool by_exception) {
        if ((by_exception || shared_.strands_others(calls_begun())) && !supervisor_.failed()) {
            notify_all(control::failure_kind::call_failed, 0, by_exception ? "its thread has been left by an exception"
                                                                           : "its thread has given its rank back");
            give_up({}, 0);
        }
        shared_.leave(at_.thread, calls_begun());
    }

    /// To ranks that ask: this one makes no more calls, and is at `where`.
    void answer_all(std::string_view where) { notices_.answer_all(zero_counts_, place() + ", " + std::string{where}); }

private:
    static constexpr unsigned looks_between_notices = 64;
    static constexpr unsigned polls_between_notices = 4096;  // which take as long
    static constexpr std::chrono::microseconds sleep_between_polls{50};  // no thread wakes one for MPI's messages
    static constexpr std::chrono::microseconds longest_sleep{1000};      // then it looks for notices

    [[nodiscard]] std::string place() const {
        return text::joined({"process ", at_.process, ", thread ", at_.thread});
    }
    [[nodiscard]] std::int64_t calls_begun() const { return calls_.number_of(calls_.last()) + plans_; }
    /// Throws if a thread of this process has given its rank back before a call in which this one waits.
    void require_all(control::supervised_call const& here) {
        int const thread = shared_.missing(at_.thread, calls_begun());
        if (thread < 0) { return; }
        throw mismatched_calls{text::joined(
            {control::text_of(here.entered(), false), " on rank ", rank_, " waits for rank ", shared_.first() + thread,
             ", which process ", at_.process, ", thread ", thread, " has given back before this call; "
             "make the same calls with the same arguments on all ranks"})};
    }
    [[nodiscard]] control::tag_sequence fresh_calls() const {
        int const tags = shared_.others().tags();
        return control::tag_sequence{tags, tags / 2};
    }

    [[nodiscard]] posted_operation& begin(posted_operation::kind what, int peer, int tag, std::size_t bytes) {
        if (bytes > message_limit()) {
            throw std::length_error{text::joined({"tutti: a message of ", text::word(bytes, "byte"),
                                                  " is longer than the limit of ", message_limit(),
                                                  "; cut it into shorter ones"})};
        }
        auto& posted = operations_.take().begin(what, at_.thread, peer, tag, bytes);
        posted.is_remote = !lends(peer);
        return posted;
    }
    [[nodiscard]] request post(posted_operation& posted) {
        if (!posted.is_remote) {
            shared_.local().post(posted);
            return {&posted};
        }
        try {
            shared_.others().post(posted, at_, teams::endpoint_of(shared_.ranks(), posted.peer));
        } catch (...) {
            operations_.put_back(posted);
            throw;
        }
        return {&posted};
    }

    [[nodiscard]] static bool any_remote(std::span<request const> requests) {
        return std::any_of(requests.begin(), requests.end(), [](request const& each) {
            return each.pending != nullptr && each.pending->is_remote;
        });
    }
    [[nodiscard]] std::size_t collect(std::span<request> requests, std::span<completion> done) {
        std::size_t count = 0;
        for (std::size_t i = 0; i != requests.size() && count != done.size(); ++i) {
            auto* const each = requests[i].pending;
            if (each == nullptr || !each->is_complete()) { continue; }
            done[count++] = completion_of(*each, i);
            operations_.put_back(*each);
            requests[i] = inactive();
        }
        return count;
    }
    [[nodiscard]] completion completion_of(posted_operation& ended, std::size_t index) {
        completion result{.index = index, .error = ended.error};
        if (ended.is_send() || ended.error != 0) { return result; }
        result.bytes = ended.received;
        if (ended.partner == nullptr) { return result; }
        if (!shared_.local().borrow(*ended.partner)) {
            result.error = withdrawn;
            return result;
        }
        borrowed_.push_back(ended.partner);
        result.lent = ended.source;
        result.lease = ended.partner;
        return result;
    }

    void give_up_all(std::span<request const> requests, int tag) noexcept {
        try {
            withdrawn_.erase_if([this](posted_operation* each) {  // at which no thread looks any more
                if (!each->is_complete()) { return false; }
                operations_.put_back(*each);
                return true;
            });
            dynamic_array<posted_operation*> remote;
            for (auto const& each : requests) {
                if (each.pending == nullptr) { continue; }
                if (each.pending->is_remote) {
                    remote.push_back(each.pending);
                } else if (shared_.local().cancel(*each.pending)) {
                    operations_.put_back(*each.pending);
                } else {
                    withdrawn_.push_back(each.pending);
                }
            }
            shared_.give_up({remote.data(), remote.size()}, tag, supervisor_.failure());
            for (auto* const each : remote) { operations_.put_back(*each); }
        } catch (...) {}  // the caller has failed already
    }

    process<C>& shared_;
    endpoint at_;
    int rank_;
    int size_ = static_cast<int>(shared_.ranks().names_ranks());
    std::int64_t plans_ = 0;
    control::tag_sequence calls_ = fresh_calls();
    posted::pool<posted_operation> operations_;
    dynamic_array<posted_operation*> borrowed_;   // sends of other threads, whose memory this one reads
    dynamic_array<posted_operation*> withdrawn_;  // own sends, at which a receiver may still look
    std::size_t fruitless_tests_ = 0;
    std::size_t waits_ = 0;
    control::backoff backoff_{{.few = 100, .most = 5000, .yields = 200, .always_sleeps = true}};
    control::notices<notice_channel<C>> notices_;
    control::zero_count_calls zero_counts_;
    tutti::control::store store_;
    tutti::control::supervisor supervisor_;
};

}  // namespace tutti::teams
