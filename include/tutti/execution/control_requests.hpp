// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include <tutti/communicator.hpp>
#include <tutti/communicator/agreement.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/execution/pending_call.hpp>
#include <tutti/execution/progress_engine.hpp>

namespace tutti::engine {

/// Messages that a call waits for before its plan runs. Plans that have been started make progress meanwhile, and ranks
/// that wait for this one learn in which call it is.
template <communicator C>
class control_requests final : pending_call<C> {
public:
    /// The messages have `tag`, the call is `entered` and has this number.
    control_requests(C& world, int tag, int number, control::call const& entered)
        : pending_call<C>{world, tag, entered}, number_{number} {
        this->runs_ = 0;
    }
    control_requests(control_requests const&) = delete;
    control_requests& operator=(control_requests const&) = delete;
    ~control_requests() {
        if (this->running()) { this->abandon(nullptr); }
    }

    void add(typename C::request one, int peer) {
        auto& engine = this->adopt();
        auto const inside = this->enter();
        engine.post(one, *this, {.instruction = static_cast<std::uint32_t>(peers_.size())});
        ++pending_;
        this->running_ = true;
        peers_.push_back(peer);
    }

    /// Throws what is wrong with one of them, or with what else makes progress.
    void finish() {
        this->wait_for_messages();
        if (failed_.error != 0) { this->world_->raise(failed_); }
    }

private:
    void ended(fragment const& what, completion const& how) override {
        peers_[what.instruction] = over;
        if (how.error != 0) { failed_ = how; }
        if (--pending_ == 0) { this->running_ = false; }
    }

    [[nodiscard]] int tag() const override { return number_; }
    [[nodiscard]] dynamic_array<int> awaited() const override {
        dynamic_array<int> result;
        for (int const peer : peers_) {
            if (peer != over) { this->add_once(result, peer); }
        }
        return result;
    }

    [[nodiscard]] std::uint64_t traffic_with(int /*peer*/) const override { return 0; }

    static constexpr int over = -1;

    int number_;
    std::size_t pending_ = 0;
    dynamic_array<int> peers_;  // of each message, or `over`
    completion failed_;
};

/// Messages of a call beside its data that are waited for one by one, of any length: they are cut as the communicator
/// needs.
template <communicator C>
class control_exchange {
public:
    /// As for `control_requests`.
    control_exchange(C& ranks, int tag, int number, control::call const& entered)
        : ranks_{ranks}, tag_{tag}, number_{number}, entered_{entered} {}

    void send(int peer, std::span<std::byte const> data) {
        wait(peer, data.size(), [&](auto i, auto n) { return ranks_.send(peer, tag_, data.subspan(i, n)); });
    }
    void receive(int peer, std::span<std::byte> into) {
        wait(peer, into.size(), [&](auto i, auto n) { return ranks_.receive(peer, tag_, into.subspan(i, n)); });
    }

    /// Element by element the one of all ranks that no other is `better` than, on all of them.
    /// Cost: 2 ⌈log2 p⌉ messages one after the other.
    template <class Elements, class Better>
    void all_reduce(Elements& mine, Better better) {
        auto theirs = mine;
        auto const to = [&](int peer, auto const& message) { send(peer, std::as_bytes(std::span{message})); };
        auto const from = [&](int peer, auto& into) { receive(peer, std::as_writable_bytes(std::span{into})); };
        control::all_reduce({ranks_.rank(), ranks_.size()}, mine, theirs, control::each_by(better), to, from);
        ranks_.end_exchange();
    }

private:
    template <class Post>
    void wait(int peer, std::size_t bytes, Post post) {
        control_requests<C> all{ranks_, tag_, number_, entered_};
        auto const longest = static_cast<std::size_t>(ranks_.message_limit());
        for (std::size_t i = 0; i < bytes; i += longest) { all.add(post(i, std::min(longest, bytes - i)), peer); }
        all.finish();
    }

    C& ranks_;
    int tag_;
    int number_;
    control::call entered_;
};

/// What belongs to a call beside its data. If that fails the communicator has.
template <class C, class Action>
void beside_data(C& world, int number, Action action) {
    world.supervisor().require_sound();
    world.supervisor().guard(world, number, action, [] {});
}

}  // namespace tutti::engine
