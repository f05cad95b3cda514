// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>

#include <tutti/dynamic_array.hpp>
#include <tutti/execution/buffers.hpp>
#include <tutti/program.hpp>

namespace tutti::engine {

/// How long messages are cut: into pieces of equal length, the same on both sides.
///
/// The last piece is always shorter than the others, by as few elements as possible. So a receiver that expects another
/// number of elements detects it: if both sides have pieces of one length, the last one of one side matches a longer
/// one of the other. No short piece follows long ones: it would be sent eagerly and overtake them, or wait for a
/// buffer.
struct pieces {
    std::size_t longest = 1;  ///< elements; messages of up to this many are one piece
    std::size_t unit = 1;     ///< elements that stay together
    bool is_limit = false;    ///< no piece is longer; otherwise, if `longest` divides a message, by a unit

    /// Elements of each piece of a message but the last; of the only one, if there is one.
    [[nodiscard]] constexpr std::size_t size(std::size_t elements) const {
        if (elements <= longest) { return elements; }
        auto const units = elements / unit;
        auto const most = longest / unit;
        auto const count = is_limit ? units / most + 1 : (units - 1) / most + 1;
        return (units / count + 1) * unit;
    }

    [[nodiscard]] constexpr std::size_t count(std::size_t elements) const {
        return elements == 0 ? 0 : (elements - 1) / size(elements) + 1;
    }
};

/// Where the elements of a send lie: in the ranges of its instruction, one behind the other.
template <class T>
class send_gather {
public:
    send_gather(program const& run, buffers<T>& where) : run_{run}, buffers_{where} {}

    /// Where elements [first, first + count) begin; null if they lie in several places.
    [[nodiscard]] T const* in_one_place(instruction const& what, std::size_t first, std::size_t count) {
        std::size_t begin = 0;
        for (auto p = what.first_range; p != what.last_range; ++p) {
            auto const& range = run_.ranges[p];
            if (first >= begin && first + count <= begin + range.count) {
                return buffers_.at(range.left) + (first - begin);
            }
            begin += range.count;
        }
        return nullptr;
    }

    /// Calls `visit(from, elements)` for each place in which some of elements [first, first + count) lie, in order.
    template <class Visit>
    void for_each_run(instruction const& what, std::size_t first, std::size_t count, Visit visit) {
        std::size_t begin = 0;
        for (auto p = what.first_range; p != what.last_range; ++p) {
            auto const& range = run_.ranges[p];
            auto const from = std::max(begin, first);
            auto const to = std::min(begin + range.count, first + count);
            if (from < to) { visit(buffers_.at(range.left) + (from - begin), to - from); }
            begin += range.count;
        }
    }

private:
    program const& run_;
    buffers<T>& buffers_;
};

/// A ring of slots, equal pieces of scratch, for messages that wait to be combined, or to be sent.
///
/// Users are numbered in program order. Of s slots, user n gets slot n mod s after user n - s has left it, so that
/// early users can never starve a late one on which they depend.
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
    dynamic_array<std::size_t> next_;  // by slot: the user whose turn it is
    workspace<T> memory_;
};

}  // namespace tutti::engine
