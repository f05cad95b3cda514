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
template <communicator C>
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

/// The progress engine for what the calling thread starts on `world`: its own, or where it `pools_requests` one of all
/// such objects of its type, any of which tests and waits for the requests of all. `progress_domain` is the same for
/// callers whose requests may be mixed; it is null where they never call at the same time, and otherwise differs from
/// thread to thread.
template <communicator C>
[[nodiscard]] progress_engine<C>& engine_of([[maybe_unused]] C& world) {
    if constexpr (C::pools_requests) {
        return engines<C>::of(C::progress_domain());
    } else {
        return world.store().template get<progress_engine<C>>();
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

}  // namespace tutti
