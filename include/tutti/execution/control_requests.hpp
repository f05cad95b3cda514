// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <cstdint>

#include <tutti/communicator.hpp>
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

}  // namespace tutti::engine
