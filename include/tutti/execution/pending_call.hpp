// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <stdexcept>
#include <thread>
#include <utility>

#include <tutti/communicator.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/execution/progress_engine.hpp>

namespace tutti::engine {

/// A call, or a run of a plan, whose messages are pending on a communicator: which thread waits for them, and what
/// becomes of them if the communicator fails or ends, or their caller leaves.
///
/// They are in the progress engine of the thread that began to post; a thread that waits in that progress engine makes
/// progress for them, too. A thread that owns another engine polls for this call alone: it must not run another call's
/// operator.
template <communicator C>
class pending_call : protected completion_handler, protected control::supervised_call {
public:
    /// Whether the communicator is still there.
    [[nodiscard]] bool has_world() const { return world_ != nullptr; }

    [[nodiscard]] bool running() const { return running_.load(std::memory_order_acquire); }

    /// Makes what progress is possible; true if the run has ended. Throws what `wait` throws.
    bool test() {
        if (running()) {
            guard([&] { test_messages(); });
        }
        return !running() && (report(), true);
    }

    /// Waits until the run has ended. Throws why it has failed, on this rank or on another one.
    void wait() {
        finish();
        report();
    }

protected:
    /// The messages have `tag`; `entered` is the record of the call, sent to ranks that ask because they wait without
    /// success.
    [[gnu::cold]] pending_call(C& world, int tag, tutti::control::call const& entered)
        : world_{&world}, tag_{tag}, engine_{&engine::engine_of(world)}, entered_{entered} {
        world.supervisor().add(*this);
    }
    ~pending_call() {
        if (world_ != nullptr) { world_->supervisor().remove(*this); }
    }

    /// Belongs to the calling thread from now on. Requires that nothing is under way.
    progress_engine<C>& adopt() {
        if (!engine_->is_owner_thread()) { engine_ = &engine::engine_of(*world_); }
        return *engine_;
    }
    [[nodiscard]] auto enter() { return engine_->enter(); }

    /// If `action` throws, the communicator has failed, other ranks are notified, and the call is given up.
    template <class Action>
    void guard(Action const& action) {
        world_->supervisor().guard(*world_, tag_, action, [this] { abandon(nullptr); });
    }

    /// Waits until nothing is pending. Throws if that can never be.
    void wait_for_messages() {
        control::supervisor::waiting_scope const here{world_->supervisor(), *this};
        if (engine_->is_owner_thread()) {
            auto const inside = enter();
            [[maybe_unused]] typename C::waiting_scope const prepared{*world_};
            while (running()) { expect(engine_->wait(*world_)); }
            return;
        }
        auto& home = engine::engine_of(*world_);
        while (running()) {
            poll();
            {
                auto const inside = home.enter();
                home.test(*world_);
            }
            std::this_thread::yield();
        }
    }

    /// Makes progress without dispatching completions.
    void progress() noexcept { engine_->progress(*world_); }

    /// For a call that its caller may leave under way, see `end_quietly`.
    void note_start() {
        exceptions_at_start_ = std::uncaught_exceptions();
        ++runs_;
    }

    /// A collective that was started takes part until its end, unless an exception is on its way that was not when it
    /// started: then the others are notified.
    [[gnu::noinline, gnu::cold]] void end_quietly() noexcept {
        if (!running()) { return; }
        try {
            if (std::uncaught_exceptions() > exceptions_at_start_) {
                constexpr auto* why = "an exception has destroyed a plan while it ran";
                world_->supervisor().announce(*world_, tag_, control::failure_kind::plan_dropped, why);
                abandon(nullptr);
            } else {
                finish();
            }
        } catch (...) {  // there is no caller to report it to
        }
    }

    /// The rank that waits throws `why`, or what has failed before; null if what is wrong is thrown here.
    [[gnu::noinline, gnu::cold]] void abandon(std::exception_ptr why) noexcept override {
        try {
            auto const inside = enter();
            engine_->cancel(*world_, *this, tag_);
            give_back_unexpected();
        } catch (...) {  // there is a failure before this one
        }
        if (why == nullptr || failure_ == nullptr) { failure_ = std::move(why); }
        running_.store(false, std::memory_order_release);
    }

    static constexpr std::size_t most_awaited = 16;  // ranks, of which a rank tells others
    static void add_once(dynamic_array<int>& ranks, int one) {
        if (std::find(ranks.begin(), ranks.end(), one) == ranks.end()) { ranks.push_back(one); }
    }

    [[nodiscard]] int tag() const override { return tag_; }
    [[nodiscard]] tutti::control::call const& entered() const override { return entered_; }

    C* world_;  // null once it has ended
    int tag_;
    std::uint32_t runs_ = 1;      // see `supervised_call::run`
    std::exception_ptr failure_;  // that is still to be thrown
    std::atomic<bool> running_ = false;

private:
    /// Messages that came and were not taken.
    virtual void give_back_unexpected() {}

    [[nodiscard]] bool is_under_way() const override { return running(); }
    [[nodiscard]] std::int64_t run() const override { return world_->number_of(tag()) << 32 | runs_; }
    void on_recover() noexcept override { runs_ = 1; }
    void on_close() noexcept override {
        end_quietly();
        world_ = nullptr;
    }

    void finish() {
        if (running()) { finish_running(); }
    }

    // Apart, so that calls which end at once stay short.
    [[gnu::noinline]] void finish_running() {
        guard([&] { wait_for_messages(); });
    }

    void test_messages() {
        if (!engine_->is_owner_thread()) { return poll(); }
        auto const inside = enter();
        while (running() && engine_->test(*world_)) {}
    }

    // A thread that holds the lock makes progress for this call as well.
    void poll() {
        auto const inside = engine_->try_enter();
        if (inside && running()) { expect(engine_->test_for(*world_, *this)); }
    }

    static void expect(bool something_under_way) {
        if (!something_under_way) {
            throw std::logic_error{"tutti: a collective waits for messages of which none is under way; did another "
                                   "one on this communicator fail before?"};
        }
    }

    void report() {
        if (failure_) { std::rethrow_exception(std::exchange(failure_, nullptr)); }
    }

    progress_engine<C>* engine_;
    tutti::control::call entered_;
    int exceptions_at_start_ = 0;  // that were on their way
};

}  // namespace tutti::engine
