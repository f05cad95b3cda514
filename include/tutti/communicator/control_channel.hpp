// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <thread>
#include <vector>

#include <tutti/communicator.hpp>
#include <tutti/communicator/agreement.hpp>

namespace tutti::messaging {

/// The messages of the ranks: whole numbers.
using payload = std::vector<std::int64_t>;

/// Throws the error of a message that has failed, if any.
template <communicator C>
void raise_failures(C& ranks, std::span<completion const> ended) {
    for (auto const& each : ended) {
        if (each.error != 0) { ranks.raise(each); }
    }
}

/// Calls `wait()`, and gives the requests up if it throws.
template <communicator C, class Wait>
void wait_or_give_up(C& ranks, std::span<typename C::request> requests, Wait wait) {
    try {
        wait();
    } catch (...) {
        for (auto const& each : requests) { ranks.cancel(each); }
        throw;
    }
}

/// Waits until all of `requests` have ended; gives them up if that fails. `done` has room for all.
template <communicator C>
void finish(C& ranks, std::span<typename C::request> requests, std::span<completion> done) {
    messaging::wait_or_give_up(ranks, requests, [&] {
        while (auto const count = ranks.wait_some(requests, done)) {
            messaging::raise_failures(ranks, done.first(count));
        }
    });
}

/// How a rank waits for a message: as the communicator does, or at rest, so that others may have the processor.
enum class waiting { as_usual, sleeping };

/// Waits until the request has ended, looking every now and then; gives it up if that fails.
template <communicator C>
void finish_at_rest(C& ranks, typename C::request one) {
    completion done;
    // Ranks whose calls are compared sleep by themselves, and the team monitor has to know that they wait. Simulated
    // ranks need no processor.
    if (C::compares_calls || messaging::is_simulated<C>()) {
        messaging::finish(ranks, std::span{&one, 1}, std::span{&done, 1});
        return;
    }
    auto rest = std::chrono::microseconds{20};
    messaging::wait_or_give_up(ranks, std::span{&one, 1}, [&] {
        while (ranks.test_some(std::span{&one, 1}, std::span{&done, 1}) == 0) {
            std::this_thread::sleep_for(rest);
            rest = std::min(2 * rest, std::chrono::microseconds{500});
        }
    });
    messaging::raise_failures(ranks, std::span{&done, 1});
}

/// Messages that are waited for, with a tag of their own.
template <communicator C>
class control_channel {
public:
    /// All ranks construct theirs at the same time.
    explicit control_channel(C& ranks, waiting how = waiting::as_usual)
        : ranks_{ranks}, tag_{ranks.new_tag()}, receiving_{how} {}
    control_channel(control_channel const&) = delete;
    control_channel& operator=(control_channel const&) = delete;
    /// After an exception messages may be under way that no rank receives.
    ~control_channel() {
        if (std::uncaught_exceptions() == exceptions_) { ranks_.release_tag(tag_); }
    }

    [[nodiscard]] int rank() const { return ranks_.rank(); }
    [[nodiscard]] int size() const { return ranks_.size(); }

    void send(int peer, std::span<std::byte const> data) { finish_one(ranks_.send(peer, tag_, data)); }
    void receive(int peer, std::span<std::byte> memory) {
        auto const one = ranks_.receive(peer, tag_, memory);
        receiving_ == waiting::sleeping ? messaging::finish_at_rest(ranks_, one) : finish_one(one);
    }

    void send(int peer, payload const& message) { send(peer, std::as_bytes(std::span{message})); }
    void receive(int peer, payload& message) { receive(peer, std::as_writable_bytes(std::span{message})); }

    /// `count` messages of equal length to one rank and from another one, all at once.
    void exchange(int to, std::span<std::byte const> data, int from, std::span<std::byte> memory,
                  std::size_t count = 1) {
        auto both = post_receives(from, memory, count);
        auto const sends = post_sends(to, data.first(data.size() / count), count);
        both.insert(both.end(), sends.begin(), sends.end());
        finish_all(both);
    }

    /// Sends `count` times, without waiting for one before the next; the requests are for `finish_all`.
    [[nodiscard]] std::vector<typename C::request> post_sends(int peer, std::span<std::byte const> data,
                                                              std::size_t count) {
        std::vector<typename C::request> requests;
        requests.reserve(count);
        for (std::size_t i = 0; i < count; ++i) { requests.push_back(ranks_.send(peer, tag_, data)); }
        return requests;
    }
    /// Receives `count` messages, each into as much of the memory.
    [[nodiscard]] std::vector<typename C::request> post_receives(int peer, std::span<std::byte> memory,
                                                                 std::size_t count) {
        std::vector<typename C::request> requests;
        requests.reserve(count);
        auto const each = memory.size() / count;
        for (std::size_t i = 0; i < count; ++i) {
            requests.push_back(ranks_.receive(peer, tag_, memory.subspan(i * each, each)));
        }
        return requests;
    }
    void finish_all(std::span<typename C::request> all) {
        std::vector<completion> done(all.size());
        messaging::finish(ranks_, all, std::span{done});
    }

    /// `count` messages, all at once; one allocates nothing.
    void send_stream(int peer, std::span<std::byte const> data, std::size_t count) {
        if (count == 1) { return finish_one(ranks_.send(peer, tag_, data)); }
        auto all = post_sends(peer, data, count);
        finish_all(all);
    }
    void receive_stream(int peer, std::span<std::byte> memory, std::size_t count) {
        if (count == 1) { return finish_one(ranks_.receive(peer, tag_, memory)); }
        auto all = post_receives(peer, memory, count);
        finish_all(all);
    }

    /// Gathers one message of each rank on rank 0, by rank; nothing on the others. All have the same length.
    [[nodiscard]] std::vector<payload> gather(payload const& message) {
        if (rank() != 0) {
            send(0, message);
            return {};
        }
        std::vector<payload> all(static_cast<std::size_t>(size()), message);
        std::vector<typename C::request> requests;
        for (int peer = 1; peer < size(); ++peer) {
            auto& received = all[static_cast<std::size_t>(peer)];
            requests.push_back(ranks_.receive(peer, tag_, std::as_writable_bytes(std::span{received})));
        }
        finish_all(requests);
        return all;
    }

    /// Broadcasts `message` from rank 0; it may be longer than the message limit, and has the same length everywhere.
    void broadcast(std::span<std::byte> message) {
        for (auto const longest = ranks_.message_limit(); !message.empty();) {
            auto const part = message.first(std::min(message.size(), longest));
            hand_on(part);
            message = message.subspan(part.size());
        }
        ranks_.end_exchange();
    }
    void broadcast(payload& message) { broadcast(std::as_writable_bytes(std::span{message})); }

    /// Whether all ranks give the same mark, and none has a flaw to report: the same answer on all of them.
    [[nodiscard]] bool agrees(std::uint64_t mark, bool is_sound) {
        payload verdict{1};
        auto const answers = gather({static_cast<std::int64_t>(mark), is_sound ? 1 : 0});
        for (auto const& each : answers) { verdict[0] &= each == answers.front() ? each[1] : 0; }
        broadcast(verdict);
        return verdict[0] != 0;
    }

    /// Returns when all ranks have called.
    void barrier() {
        payload nothing(1);
        static_cast<void>(gather(nothing));
        broadcast(nothing);
    }

private:
    /// Down a binomial tree.
    void hand_on(std::span<std::byte> message) {
        control::binomial_tree const tree{rank(), size()};
        if (tree.has_parent()) { receive(tree.parent(), message); }
        std::vector<typename C::request> requests;
        for (int const child : tree.longest_first()) { requests.push_back(ranks_.send(child, tag_, message)); }
        finish_all(requests);
    }

    void finish_one(typename C::request one) {
        completion done;
        messaging::finish(ranks_, std::span{&one, 1}, std::span{&done, 1});
    }

    C& ranks_;
    int tag_;
    waiting receiving_;
    int exceptions_ = std::uncaught_exceptions();
};

}  // namespace tutti::messaging
