// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <mutex>

#include <tutti/communicator/threads/brief_lock.hpp>
#include <tutti/communicator/threads/operation.hpp>

namespace tutti::threads {

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
class alignas(64) channel {
public:
    /// The first posted counterpart with the same tag, taken out of the channel; if there is none, leaves
    /// `posted` behind and returns null.
    operation* meet(operation& posted) {
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
    brief_lock lock_;
    operation_queue sends_;
    operation_queue receives_;
};

}  // namespace tutti::threads
