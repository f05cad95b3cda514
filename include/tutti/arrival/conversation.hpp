// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <tutti/communicator.hpp>

namespace tutti::monitoring {

/// What the ranks tell each other: whole numbers.
using words = std::vector<std::int64_t>;

/// Throws the error of a message that has failed, if any.
template <communicator C>
void raise_failures(C& ranks, std::span<completion const> ended) {
    if constexpr (tells_failures<C>) {
        for (auto const& each : ended) {
            if (each.error != 0) { ranks.raise(each); }
        }
    }
}

/// Waits until all of `requests` have ended; gives them up if that fails. `done` has room for all.
template <communicator C>
void finish(C& ranks, std::span<typename C::request> requests, std::span<completion> done) {
    try {
        while (auto const count = ranks.wait_some(requests, done)) { raise_failures(ranks, done.first(count)); }
    } catch (...) {
        for (auto const& each : requests) { ranks.cancel(each); }
        throw;
    }
}

/// Messages that are waited for, with a tag of their own.
template <communicator C>
class conversation {
public:
    /// All ranks construct theirs at the same time.
    explicit conversation(C& ranks) : ranks_{ranks}, tag_{ranks.new_tag()} {}

    [[nodiscard]] int rank() const { return ranks_.rank(); }
    [[nodiscard]] int size() const { return ranks_.size(); }

    void send(int peer, std::span<std::byte const> data) { finish_one(ranks_.send(peer, tag_, data)); }
    void receive(int peer, std::span<std::byte> memory) { finish_one(ranks_.receive(peer, tag_, memory)); }

    void send(int peer, words const& said) { send(peer, std::as_bytes(std::span{said})); }
    void receive(int peer, words& said) { receive(peer, std::as_writable_bytes(std::span{said})); }

    /// Sends `count` times, without waiting for one before the next.
    void send_stream(int peer, std::span<std::byte const> data, std::size_t count) {
        std::vector<typename C::request> requests;
        for (std::size_t i = 0; i < count; ++i) { requests.push_back(ranks_.send(peer, tag_, data)); }
        finish_all(requests);
    }
    void receive_stream(int peer, std::span<std::byte> memory, std::size_t count) {
        std::vector<typename C::request> requests;
        auto const each = memory.size() / count;
        for (std::size_t i = 0; i < count; ++i) {
            requests.push_back(ranks_.receive(peer, tag_, memory.subspan(i * each, each)));
        }
        finish_all(requests);
    }

    /// What all ranks have said, on rank 0, by rank; nothing on the others. All say equally much.
    [[nodiscard]] std::vector<words> gather(words const& said) {
        if (rank() != 0) {
            send(0, said);
            return {};
        }
        std::vector<words> all(static_cast<std::size_t>(size()), said);
        std::vector<typename C::request> requests;
        for (int peer = 1; peer < size(); ++peer) {
            auto& heard = all[static_cast<std::size_t>(peer)];
            requests.push_back(ranks_.receive(peer, tag_, std::as_writable_bytes(std::span{heard})));
        }
        finish_all(requests);
        return all;
    }

    /// Makes `said` what rank 0 says.
    void broadcast(words& said) {
        if (rank() != 0) {
            receive(0, said);
            return;
        }
        std::vector<typename C::request> requests;
        for (int peer = 1; peer < size(); ++peer) {
            requests.push_back(ranks_.send(peer, tag_, std::as_bytes(std::span{said})));
        }
        finish_all(requests);
    }

    /// Returns when all ranks have called.
    void meet() {
        words nothing(1);
        static_cast<void>(gather(nothing));
        broadcast(nothing);
    }

private:
    void finish_one(typename C::request one) {
        completion done;
        finish(ranks_, std::span{&one, 1}, std::span{&done, 1});
    }
    void finish_all(std::vector<typename C::request>& all) {
        std::vector<completion> done(all.size());
        finish(ranks_, std::span{all}, std::span{done});
    }

    C& ranks_;
    int tag_;
};

}  // namespace tutti::monitoring
