// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include <tutti/arrival/clock.hpp>
#include <tutti/communicator.hpp>

namespace tutti::monitoring {

/// Messages that are sent without waiting for their completion, and received as they arrive.
template <communicator C>
class control_messages {
public:
    explicit control_messages(C& ranks) : ranks_{ranks} {}
    control_messages(control_messages const&) = delete;
    control_messages& operator=(control_messages const&) = delete;
    ~control_messages() {
        for (auto const& each : requests_) { ranks_.cancel(each); }
    }

    void send(int peer, int tag, payload const& text) {
        auto const at = find_slot(kind::sent, peer, tag);
        slots_[at].text = text;
        requests_[at] = ranks_.send(peer, tag, std::as_bytes(std::span{slots_[at].text}));
        ++sending_;
    }

    /// One control message of at most `longest` words is going to come.
    void expect(int peer, int tag, std::size_t longest) {
        auto const at = find_slot(kind::expected, peer, tag);
        slots_[at].text.resize(longest);
        requests_[at] = ranks_.receive(peer, tag, std::as_writable_bytes(std::span{slots_[at].text}));
    }

    /// Calls `take(peer, tag, payload)` for each control message that has come; it may send and expect others. Whether
    /// anything has happened.
    template <class Take>
    bool test(Take take) {
        auto const count = ranks_.test_some(requests_, done_);
        messaging::raise_failures(ranks_, std::span{done_}.first(count));
        for (std::size_t i = 0; i < count; ++i) {
            auto& ended = slots_[done_[i].index];
            auto const what = std::exchange(ended.what, kind::none);
            if (what == kind::sent) {
                --sending_;
                continue;
            }
            std::swap(arrived_, ended.text);
            arrived_.resize(done_[i].bytes / sizeof(payload::value_type));
            take(ended.peer, ended.tag, arrived_);
        }
        return count > 0;
    }

    /// Whether there are control messages that have not been taken in by those who get them, as far as the communicator
    /// tells.
    [[nodiscard]] bool is_sending() const { return sending_ > 0; }

    /// Gives up all control messages that are expected.
    void stop_expecting() {
        for (std::size_t at = 0; at < slots_.size(); ++at) {
            if (slots_[at].what != kind::expected) { continue; }
            ranks_.cancel(requests_[at]);
            requests_[at] = C::inactive();
            slots_[at].what = kind::none;
        }
    }

    /// The requests of control messages under way; others are inactive.
    [[nodiscard]] std::span<typename C::request> requests() { return requests_; }

private:
    enum class kind { none, sent, expected };
    struct slot {
        kind what = kind::none;
        int peer = 0;
        int tag = 0;
        payload text;
    };

    [[nodiscard]] std::size_t find_slot(kind what, int peer, int tag) {
        std::size_t at = 0;
        while (at < slots_.size() && slots_[at].what != kind::none) { ++at; }
        if (at == slots_.size()) {
            slots_.emplace_back();
            requests_.push_back(C::inactive());
            done_.emplace_back();
        }
        slots_[at].what = what;
        slots_[at].peer = peer;
        slots_[at].tag = tag;
        return at;
    }

    C& ranks_;
    std::vector<slot> slots_;
    std::vector<typename C::request> requests_;
    std::vector<completion> done_;
    payload arrived_;
    std::size_t sending_ = 0;
};

}  // namespace tutti::monitoring
