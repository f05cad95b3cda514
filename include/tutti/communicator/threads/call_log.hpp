// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <deque>
#include <optional>
#include <string>

#include <tutti/communicator.hpp>
#include <tutti/communicator/threads/calls_of_rank.hpp>
#include <tutti/communicator/threads/recorded_call.hpp>

namespace tutti::threads {

/// Compares the ranks' collective calls, the k-th of one rank with the k-th of all others.
///
/// `make` costs next to nothing and finds out nothing: ranks whose marks differ when they meet, or that get no further,
/// have to `compare`. Ranks make their calls at any time; all else is done by one thread at a time.
class call_log {
public:
    explicit call_log(int size) {
        for (int rank = 0; rank < size; ++rank) { ranks_.emplace_back(); }
    }

    /// Rank `rank` makes its next call. False if there is no room for it before `make_room`.
    [[nodiscard]] bool make(int rank, call const& entered) { return at(rank).add(entered); }

    /// For rank `rank` itself. What is wrong with the calls so far, if anything.
    [[nodiscard]] std::optional<std::string> make_room(int rank) {
        auto wrong = compare();
        at(rank).make_room();
        return wrong;
    }

    /// For rank `rank` itself.
    [[nodiscard]] call_digest_count mark(int rank) const { return at(rank).mark(); }

    /// Whether a rank makes no more calls, so that others may make too many.
    [[nodiscard]] bool any_finished() const { return finished_.load(std::memory_order_relaxed); }

    /// What is wrong with the calls so far, if anything.
    [[nodiscard]] std::optional<std::string> compare() {
        auto const ahead = most_calls();
        auto const most = at(ahead).made();
        auto agreed = most;
        for (int rank = 0; rank != size(); ++rank) {
            auto const made = std::min(at(rank).made(), most);  // ranks go on meanwhile
            agreed = std::min(agreed, made);
            if (auto wrong = difference(rank, ahead, made)) { return wrong; }
        }
        agreed_ = agreed;
        for (auto& each : ranks_) { each.forget(agreed_); }
        if (first_gone_ && first_gone_->made < most) {
            return too_few(first_gone_->rank, first_gone_->made, ahead, most);
        }
        return std::nullopt;
    }

    /// Rank `rank` makes no more calls. What is wrong with the calls so far, if anything.
    [[nodiscard]] std::optional<std::string> finish(int rank) {
        auto const made = at(rank).made();
        if (!first_gone_ || made < first_gone_->made) { first_gone_ = departure{rank, made}; }
        finished_.store(true, std::memory_order_relaxed);
        return compare();
    }

    /// The newest call of a rank, if it has made any.
    [[nodiscard]] std::optional<call> newest(int rank) const { return at(rank).newest(); }

private:
    struct departure {
        int rank;
        std::size_t made;
    };

    [[nodiscard]] static std::string too_few(int rank, std::size_t made, int other, std::size_t more) {
        return "tutti: mismatched collectives: rank " + std::to_string(rank) + " returned after " +
               std::to_string(made) + (made == 1 ? " collective call, rank " : " collective calls, rank ") +
               std::to_string(other) + " made " + std::to_string(more);
    }

    [[nodiscard]] int size() const { return static_cast<int>(ranks_.size()); }
    [[nodiscard]] calls_of_rank& at(int rank) { return ranks_[static_cast<std::size_t>(rank)]; }
    [[nodiscard]] calls_of_rank const& at(int rank) const { return ranks_[static_cast<std::size_t>(rank)]; }

    [[nodiscard]] int most_calls() const {
        auto const less = [](auto const& a, auto const& b) { return a.made() < b.made(); };
        return static_cast<int>(std::max_element(ranks_.begin(), ranks_.end(), less) - ranks_.begin());
    }

    /// The first of the calls up to `last` in which the two differ.
    [[nodiscard]] std::optional<std::string> difference(int rank, int other, std::size_t last) const {
        for (auto number = agreed_ + 1; number <= last;) {
            auto const own = at(rank).at(number);
            auto const others = at(other).at(number);
            auto const entered = own.entered.view();
            auto const expected = others.entered.view();
            if (!same_call(entered, expected)) {
                auto const by = text_of(entered, false) == text_of(expected, false);
                return "tutti: mismatched collectives: call " + std::to_string(number) + " is " + text_of(entered, by) +
                       " on rank " + std::to_string(rank) + " but " + text_of(expected, by) + " on rank " +
                       std::to_string(other);
            }
            number = std::min(own.last, others.last) + 1;
        }
        return std::nullopt;
    }

    std::deque<calls_of_rank> ranks_;
    std::size_t agreed_ = 0;               ///< calls that all ranks have made, and that are the same
    std::optional<departure> first_gone_;  ///< the rank that has made the fewest calls of those that make no more
    std::atomic<bool> finished_ = false;
};

}  // namespace tutti::threads
