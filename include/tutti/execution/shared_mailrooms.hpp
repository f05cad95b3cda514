// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <mutex>

#include <tutti/communicator.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/execution/mailroom.hpp>

namespace tutti {

/// The mailrooms of communicators that share them: one for each domain, until the program ends.
///
/// A plan that one thread has started and another waits for stays where it was started. A thread that begins at the
/// address of one that has ended takes over its mailroom, so there are no more of them than threads at one time.
template <pools_requests C>
class shared_mailrooms {
public:
    [[nodiscard]] static mailroom<C>& of(void const* domain) {
        static shared_mailrooms all;
        auto const lock = std::lock_guard{all.guard_};
        for (auto* const each : all.rooms_) {
            if (each->domain() == domain) { return *each; }
        }
        all.rooms_.reserve(all.rooms_.size() + 1);
        all.rooms_.push_back(new mailroom<C>{domain});
        return *all.rooms_.back();
    }

private:
    shared_mailrooms() = default;
    [[gnu::cold]] ~shared_mailrooms() {
        for (auto* const each : rooms_) { delete each; }
    }

    std::mutex guard_;
    dynamic_array<mailroom<C>*> rooms_;
};

/// The mailroom for what the calling thread starts on `world`.
template <communicator C>
[[nodiscard]] mailroom<C>& mailroom_at([[maybe_unused]] C& world) {
    if constexpr (pools_requests<C>) {
        return shared_mailrooms<C>::of(C::progress_domain());
    } else {
        return world.attached().template get<mailroom<C>>();
    }
}

}  // namespace tutti
