// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>

#include <tutti/communicator.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/execution/progress_engine.hpp>
#include <tutti/execution/progress_handle.hpp>

namespace tutti {

/// Messages that a call waits for before its plan runs. Plans that have been started make progress meanwhile, and ranks
/// that wait for this one learn in which call it is.
template <communicator C>
class control_requests final : completion_handler, supervised_call {
public:
    /// The messages have `tag`, the call is `entered` and has this number.
    control_requests(C& world, int tag, int number, call const& entered)
        : world_{world}, tag_{tag}, number_{number}, entered_{entered}, handle_{world, *this} {
        world.supervisor().add(*this);
    }
    control_requests(control_requests const&) = delete;
    control_requests& operator=(control_requests const&) = delete;
    ~control_requests() {
        abandon(nullptr);
        world_.supervisor().remove(*this);
    }

    void add(typename C::request one, int peer) {
        auto& engine = handle_.adopt();
        auto const inside = handle_.enter();
        engine.post(one, *this, {.instruction = static_cast<std::uint32_t>(peers_.size())});
        ++pending_;
        peers_.push_back(peer);
    }

    /// Throws what is wrong with one of them, or with what else makes progress.
    void finish() {
        {
            supervisor::waiting_scope const here{world_.supervisor(), *this};
            handle_.wait_while([&] { return pending_ != 0; });
        }
        if (failed_.error != 0) { world_.raise(failed_); }
    }

private:
    void ended(fragment const& what, completion const& how) override {
        --pending_;
        peers_[what.instruction] = over;
        if (how.error != 0) { failed_ = how; }
    }

    [[nodiscard]] bool is_under_way() const override { return pending_ != 0; }
    [[nodiscard]] int tag() const override { return number_; }
    [[nodiscard]] std::int64_t run() const override { return world_.number_of(number_) << 32; }
    [[nodiscard]] call const& entered() const override { return entered_; }
    [[nodiscard]] dynamic_array<int> awaited() const override {
        dynamic_array<int> result;
        for (int const peer : peers_) {
            if (peer != over && std::find(result.begin(), result.end(), peer) == result.end()) {
                result.push_back(peer);
            }
        }
        return result;
    }

    void abandon(std::exception_ptr /*why*/) noexcept override {
        if (pending_ == 0) { return; }
        try {
            auto const inside = handle_.enter();
            handle_.cancel(tag_);
        } catch (...) {  // who gives up has a reason to throw
        }
    }

    static constexpr int over = -1;

    C& world_;
    int tag_;
    int number_;
    call const& entered_;
    progress_handle<C> handle_;
    std::size_t pending_ = 0;
    dynamic_array<int> peers_;  // of each message, or `over`
    completion failed_;
};

}  // namespace tutti
