// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include <tutti/communicator.hpp>

namespace support {

/// A communicator without any other rank: messages end when the test says so.
class scripted_communicator : public tutti::communicator_defaults<scripted_communicator> {
public:
    using request = int;

    [[nodiscard]] static request inactive() { return 0; }
    [[nodiscard]] int rank() const { return 0; }
    [[nodiscard]] int size() const { return 2; }
    [[nodiscard]] std::size_t message_limit() const { return 1'000'000; }
    [[nodiscard]] int new_tag() { return ++last_tag_; }
    [[nodiscard]] tutti::control::store& store() { return store_; }
    [[nodiscard]] tutti::control::supervisor& supervisor() { return supervisor_; }

    [[nodiscard]] request send(int peer, int, std::span<std::byte const> data) { return post(peer, data.size()); }
    /// What comes is zeros.
    [[nodiscard]] request receive(int peer, int, std::span<std::byte> memory) {
        std::fill(memory.begin(), memory.end(), std::byte{});
        return post(peer, memory.size());
    }

    std::size_t test_some(std::span<request> requests, std::span<tutti::completion> done) {
        ++tests;
        if (std::exchange(fail_next_test, false)) { throw std::runtime_error{"the network is gone"}; }
        std::size_t count = 0;
        for (std::size_t i = 0; i != requests.size(); ++i) {
            auto const said = std::find(ended.begin(), ended.end(), requests[i]);
            if (said == ended.end()) { continue; }
            ended.erase(said);
            done[count++] = {.index = i, .bytes = sizes_.at(static_cast<std::size_t>(requests[i]) - first)};
            requests[i] = inactive();
        }
        return count;
    }
    std::size_t wait_some(std::span<request> requests, std::span<tutti::completion> done) {
        if (forget) { std::fill(requests.begin(), requests.end(), inactive()); }
        auto const active = [](request each) { return each != inactive(); };
        if (std::none_of(requests.begin(), requests.end(), active)) { return 0; }
        auto const count = test_some(requests, done);
        if (count == 0) { throw std::logic_error{"the test would wait for ever"}; }
        return count;
    }
    void cancel(request given_up) { cancelled.push_back(given_up); }

    std::vector<request> posted;
    std::vector<int> peers;          ///< of each that was posted
    std::vector<request> ended;      ///< to be reported next
    std::vector<request> cancelled;
    std::size_t posts_until_failure = 100'000;
    std::size_t tests = 0;           ///< calls of `test_some`, and of `wait_some`
    bool fail_next_test = false;
    bool forget = false;             ///< every request, as if it had been reported as failed before

private:
    static constexpr std::size_t first = 2;  // request; any but the inactive one

    request post(int peer, std::size_t bytes) {
        if (posts_until_failure-- == 0) { throw std::runtime_error{"the network is gone"}; }
        posted.push_back(static_cast<request>(posted.size() + first));
        peers.push_back(peer);
        sizes_.push_back(bytes);
        return posted.back();
    }

    int last_tag_ = 0;
    std::vector<std::size_t> sizes_;
    tutti::control::store store_;
    tutti::control::supervisor supervisor_;
};

static_assert(tutti::communicator<scripted_communicator>);

}  // namespace support
