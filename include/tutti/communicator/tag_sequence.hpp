// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstdint>

namespace tutti::control {

/// The tags `first`, `first` + 1, ..., below a bound, and from `first` again, for uses that end in the order in which
/// they began: messages of one tag between two ranks stay in order. Uses are numbered from 1 on, and numbers never come
/// again.
class tag_sequence {
public:
    explicit tag_sequence(int bound, int first) noexcept : first_{first}, bound_{bound}, last_{first - 1} {}

    int next() noexcept {
        if (++last_ == bound_) {
            last_ = first_;
            ++rounds_;
        }
        return last_;
    }

    [[nodiscard]] int first() const noexcept { return first_; }

    /// What `next` gave, or the tag before the first.
    [[nodiscard]] int last() const noexcept { return last_; }

    /// Of the newest use of a tag.
    [[nodiscard]] std::int64_t number_of(int tag) const noexcept {
        return (rounds_ - (tag > last_ ? 1 : 0)) * (bound_ - first_) + tag - first_ + 1;
    }

private:
    int first_;
    int bound_;
    int last_;
    std::int64_t rounds_ = 0;
};

}  // namespace tutti::control
