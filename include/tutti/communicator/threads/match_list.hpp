// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <atomic>
#include <mutex>
#include <thread>

#include <tutti/communicator/threads/operation.hpp>

namespace tutti::threads {

/// A lock for a few instructions: who finds it taken does not sleep, which would take a thousand times as long.
/// `std::lock_guard` takes it for a mutex.
class spin_lock {
public:
    void lock() noexcept {
        for (int tries = 0; taken_.exchange(true, std::memory_order_acquire); ++tries) {
            // its holder may have lost its processor
            if (tries >= backoff) { std::this_thread::yield(); }
        }
    }

    void unlock() noexcept { taken_.store(false, std::memory_order_release); }

private:
    static constexpr int backoff = 100;

    std::atomic<bool> taken_ = false;
};

/// Operations in the order in which they were posted.
class operation_queue {
public:
    void push(operation& posted) noexcept {
        posted.next = nullptr;
        (last_ != nullptr ? last_->next : first_) = &posted;
        last_ = &posted;
    }

    /// Takes out the first operation that `fits`; null if there is none.
    template <class Predicate>
    operation* pop(Predicate fits) noexcept {
        operation* before = nullptr;
        for (operation* each = first_; each != nullptr; before = each, each = each->next) {
            if (!fits(*each)) { continue; }
            (before != nullptr ? before->next : first_) = each->next;
            if (last_ == each) { last_ = before; }
            each->next = nullptr;
            return each;
        }
        return nullptr;
    }

private:
    operation* first_ = nullptr;
    operation* last_ = nullptr;
};

/// Where the sends of one rank meet the receives of another. Each pair of ranks has its own, so that only these
/// two ever contend for it, in cache lines of its own.
class alignas(64) match_list {
public:
    /// The first posted counterpart with the same tag, taken out of the channel; if there is none, leaves
    /// `posted` behind and returns null.
    operation* match(operation& posted) {
        std::lock_guard const lock{lock_};
        auto& counterparts = posted.is_send() ? receives_ : sends_;
        auto* const found = counterparts.pop([&](operation const& each) { return each.tag == posted.tag; });
        if (found == nullptr) {
            (posted.is_send() ? sends_ : receives_).push(posted);
            return nullptr;
        }
        found->matched.store(true, std::memory_order_relaxed);
        posted.matched.store(true, std::memory_order_relaxed);
        return found;
    }

    /// Takes `posted` out; false if a counterpart has met it.
    bool withdraw(operation const& posted) {
        std::lock_guard const lock{lock_};
        auto& own = posted.is_send() ? sends_ : receives_;
        return own.pop([&](operation const& each) { return &each == &posted; }) != nullptr;
    }

private:
    spin_lock lock_;
    operation_queue sends_;
    operation_queue receives_;
};

}  // namespace tutti::threads
