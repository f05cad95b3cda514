// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <utility>

/// What communicators that match messages themselves keep of operations: sends and receives that have been posted. An
/// operation has a member `next` for the list that holds it.
namespace tutti::posted {

/// The handle of an operation that its owner holds.
template <class Operation>
struct request {
    Operation* pending = nullptr;

    friend bool operator==(request, request) = default;
};

/// Operations in the order in which they were posted.
template <class Operation>
class queue {
public:
    [[nodiscard]] bool empty() const noexcept { return first_ == nullptr; }
    [[nodiscard]] Operation& front() const noexcept { return *first_; }

    void push(Operation& last) noexcept {
        last.next = nullptr;
        (last_ != nullptr ? last_->next : first_) = &last;
        last_ = &last;
    }

    void pop() noexcept {
        first_ = first_->next;
        if (first_ == nullptr) { last_ = nullptr; }
    }

    /// Takes out the first that `fits`; null if there is none.
    template <class Predicate>
    Operation* take(Predicate fits) noexcept {
        Operation* before = nullptr;
        for (auto* each = first_; each != nullptr; before = each, each = each->next) {
            if (!fits(*each)) { continue; }
            (before != nullptr ? before->next : first_) = each->next;
            if (last_ == each) { last_ = before; }
            return each;
        }
        return nullptr;
    }

    /// Takes `out` out; false if it is not there.
    bool withdraw(Operation const& out) noexcept {
        return take([&](Operation const& each) { return &each == &out; }) != nullptr;
    }

    /// The first that `fits`; null if there is none.
    template <class Predicate>
    [[nodiscard]] Operation* find(Predicate fits) const noexcept {
        auto* each = first_;
        while (each != nullptr && !fits(*each)) { each = each->next; }
        return each;
    }

private:
    Operation* first_ = nullptr;
    Operation* last_ = nullptr;
};

/// The operations of a rank, used again once they have ended, so that a repeated pattern of messages allocates nothing.
template <class Operation>
class pool {
public:
    // How many are under way at once depends on timing.
    pool() { make_more(); }
    pool(pool const&) = delete;
    pool& operator=(pool const&) = delete;
    ~pool() {
        while (blocks_ != nullptr) { delete std::exchange(blocks_, blocks_->before); }
    }

    /// One that is not in use, with what its last owner left in it.
    [[nodiscard]] Operation& take() {
        if (free_ == nullptr) { make_more(); }
        return *std::exchange(free_, free_->next);
    }

    void put_back(Operation& ended) noexcept {
        ended.next = free_;
        free_ = &ended;
    }

    /// Calls `visit` with every operation, in use or not.
    template <class Visit>
    void for_each(Visit visit) {
        for (auto* some = blocks_; some != nullptr; some = some->before) {
            for (auto& each : some->operations) { visit(each); }
        }
    }

private:
    struct block {
        Operation operations[256];
        block* before = nullptr;
    };

    void make_more() {
        blocks_ = new block{.operations = {}, .before = blocks_};
        for (auto& each : blocks_->operations) { put_back(each); }
    }

    block* blocks_ = nullptr;
    Operation* free_ = nullptr;
};

}  // namespace tutti::posted
