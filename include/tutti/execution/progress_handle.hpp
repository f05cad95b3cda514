// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <stdexcept>
#include <thread>

#include <tutti/communicator.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/execution/progress_engine.hpp>

namespace tutti {

/// The progress engines of communicators that share them: one for each domain, until the program ends.
///
/// A plan that one thread has started and another waits for stays where it was started. A thread that begins at the
/// address of one that has ended takes over its progress engine, so there are no more of them than threads at one time.
template <pools_requests C>
class engines {
public:
    [[nodiscard]] static progress_engine<C>& of(void const* domain) {
        static engines all;
        auto const lock = std::lock_guard{all.guard_};
        for (auto* const each : all.engines_) {
            if (each->domain() == domain) { return *each; }
        }
        all.engines_.reserve(all.engines_.size() + 1);
        all.engines_.push_back(new progress_engine<C>{domain});
        return *all.engines_.back();
    }

private:
    engines() = default;
    [[gnu::cold]] ~engines() {
        for (auto* const each : engines_) { delete each; }
    }

    std::mutex guard_;
    dynamic_array<progress_engine<C>*> engines_;
};

/// The progress engine for what the calling thread starts on `world`.
template <communicator C>
[[nodiscard]] progress_engine<C>& engine_of([[maybe_unused]] C& world) {
    if constexpr (pools_requests<C>) {
        return engines<C>::of(C::progress_domain());
    } else {
        return world.attached().template get<progress_engine<C>>();
    }
}

/// The place of one completion handler in a progress engine, and how threads wait there.
///
/// It is in the progress engine of the thread that began to post; a thread that waits in that progress engine makes
/// progress for it, too. A thread that owns another engine polls for this completion handler alone: it must not run
/// another handler's operator.
template <communicator C>
class progress_handle {
public:
    progress_handle(C& world, completion_handler& owner) : world_{world}, engine_{&engine_of(world)}, owner_{owner} {}

    /// Belongs to the calling thread from now on. Requires that nothing is under way.
    progress_engine<C>& adopt() {
        if (!engine_->is_owner_thread()) { engine_ = &engine_of(world_); }
        return *engine_;
    }

    [[nodiscard]] auto enter() { return engine_->enter(); }

    /// Dispatches completions as long as there are any and `pending()`.
    template <class Pending>
    void test_while(Pending pending) {
        if (!engine_->is_owner_thread()) { return poll_for(pending); }
        auto const inside = enter();
        while (pending() && engine_->test(world_)) {}
    }

    /// Waits until `pending()` is false. Throws if it can never be.
    template <class Pending>
    void wait_while(Pending pending) {
        if (engine_->is_owner_thread()) {
            auto const inside = enter();
            [[maybe_unused]] typename C::waiting_scope const prepared{world_};
            while (pending()) { expect(engine_->wait(world_)); }
            return;
        }
        auto& home = engine_of(world_);
        while (pending()) {
            poll_for(pending);
            {
                auto const inside = home.enter();
                home.test(world_);
            }
            std::this_thread::yield();
        }
    }

    /// Makes progress without dispatching completions.
    void progress() noexcept { engine_->progress(world_); }

    void cancel(int tag) { engine_->cancel(world_, owner_, tag); }

private:
    // A thread that holds the lock makes progress for this completion handler as well.
    template <class Pending>
    void poll_for(Pending pending) {
        auto const inside = engine_->try_enter();
        if (inside && pending()) { expect(engine_->test_for(world_, owner_)); }
    }

    static void expect(bool something_under_way) {
        if (!something_under_way) {
            throw std::logic_error{"tutti: a collective waits for messages of which none is under way; did another "
                                   "one on this communicator fail before?"};
        }
    }

    C& world_;
    progress_engine<C>* engine_;
    completion_handler& owner_;
};

/// Messages that a call waits for before its plan runs. Plans that have been started make progress meanwhile, and ranks
/// that wait for this one learn in which call it is.
template <communicator C>
class control_requests final : completion_handler, waiting_call {
public:
    /// The messages have `tag`, the call is `entered` and has this number.
    control_requests(C& world, int tag, int number, call const& entered)
        : world_{world}, tag_{tag}, number_{number}, entered_{entered}, handle_{world, *this} {
        world.attached().add(*this);
    }
    control_requests(control_requests const&) = delete;
    control_requests& operator=(control_requests const&) = delete;
    ~control_requests() {
        give_up();
        world_.attached().remove(*this);
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
            attachments::waiting_scope const here{world_.attached(), *this};
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

    void give_up() noexcept {
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
