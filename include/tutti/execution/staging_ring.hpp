// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>

#include <tutti/dynamic_array.hpp>
#include <tutti/execution/workspace.hpp>

namespace tutti {

/// A ring of equal pieces of scratch for messages that wait to be combined, or to be sent.
///
/// Users are numbered in program order and user n gets slot n mod slots after user n - slots has left, so
/// that early users can never starve a late one on which they depend.
template <class T>
class staging_ring {
public:
    staging_ring() = default;

    /// For `users` users of `elements` elements each, no more than `most` slots.
    staging_ring(std::size_t users, std::size_t most, std::size_t elements)
        : elements_{elements}, next_(std::min(users, most)), memory_{next_.size() * elements} {
        reset();
    }

    void reset() {
        for (std::size_t slot = 0; slot != next_.size(); ++slot) { next_[slot] = slot; }
    }

    [[nodiscard]] bool free_for(std::size_t user) const { return next_[user % next_.size()] == user; }
    void release(std::size_t user) { next_[user % next_.size()] = user + next_.size(); }

    [[nodiscard]] T* data(std::size_t user) { return memory_.data() + offset(user); }

    /// Copies elements into the slot, behind the first `used`.
    void fill(std::size_t user, std::size_t used, std::size_t count, T const* source) {
        memory_.assign(offset(user) + used, count, source);
    }

private:
    [[nodiscard]] std::size_t offset(std::size_t user) const { return user % next_.size() * elements_; }

    std::size_t elements_ = 0;
    dynamic_array<std::size_t> next_;  // the user whose turn it is
    workspace<T> memory_;
};

}  // namespace tutti
