// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <tutti/communicator.hpp>
#include <tutti/communicator/call.hpp>
#include <tutti/text.hpp>

namespace tutti::threads {

/// A `tutti::control::call` that can be shown after the caller has gone on.
class recorded_call {
public:
    void assign(control::call const& entered) {
        said_ = entered;
        counts_.assign(entered.counts.begin(), entered.counts.end());
    }

    [[nodiscard]] control::call view() const {
        auto entered = said_;
        entered.counts = counts_;
        return entered;
    }

private:
    control::call said_;
    std::vector<std::size_t> counts_;
};

/// How many collective calls a rank has made, and a digest of them all: ranks that made the same calls agree in both.
struct call_digest_count {
    std::size_t made = 0;
    std::uint64_t digest = 0;

    friend bool operator==(call_digest_count const&, call_digest_count const&) = default;
};

/// The collective calls of one rank as far as they have not been compared with those of others. Calls are numbered from
/// 1; equal ones in a row are one entry.
///
/// The rank itself adds calls without waiting. Other ranks read what it has published, one thread at a time,
/// and an entry stays as it is until that thread has forgotten it.
class alignas(64) calls_of_rank {
public:
    /// A call, and the number of the last one in a row like it.
    struct repeated_call {
        recorded_call const& entered;
        std::size_t last;
    };

    /// For the rank itself. False, and nothing done, if there is no room.
    bool add(control::call const& entered) {
        if (added_ == 0 || !control::same_call(entered, entry_at(added_ - 1).entered.view())) {
            if (added_ == room_until_) { return false; }
            auto& fresh = entry_at(added_);
            fresh.entered.assign(entered);
            fresh.first = mark_.made + 1;
            digest_of_newest_ = control::digest_of(entered);
            entries_.store(++added_, std::memory_order_release);
        }
        mark_.digest = control::digest_with(mark_.digest, digest_of_newest_);
        made_.store(++mark_.made, std::memory_order_release);
        return true;
    }

    /// For the rank itself.
    [[nodiscard]] call_digest_count mark() const { return mark_; }

    /// For the rank itself, while no other rank reads: room for another entry.
    void make_room() {
        if (added_ - oldest_ == window_.size()) {
            std::vector<entry> wider(2 * window_.size());
            for (auto index = oldest_; index != added_; ++index) {
                wider[index & (wider.size() - 1)] = std::move(entry_at(index));
            }
            window_ = std::move(wider);
        }
        room_until_ = oldest_ + window_.size();
    }

    [[nodiscard]] std::size_t made() const { return made_.load(std::memory_order_acquire); }

    /// Call `number`, which has been made and not been forgotten.
    [[nodiscard]] repeated_call at(std::size_t number) const {
        auto const made_by_now = made();
        auto const entries = entries_.load(std::memory_order_acquire);
        auto found = oldest_;
        for (auto count = entries - oldest_; count > 1;) {  // the last entry whose first call is not after `number`
            auto const half = count / 2;
            auto const later = entry_at(found + half).first <= number;
            if (later) { found += half; }
            count = later ? count - half : half;
        }
        auto const is_last = found + 1 == entries;
        return {entry_at(found).entered, is_last ? made_by_now : entry_at(found + 1).first - 1};
    }

    /// The newest call, if there is one.
    [[nodiscard]] std::optional<control::call> newest() const {
        auto const entries = entries_.load(std::memory_order_acquire);
        if (entries == 0) { return std::nullopt; }
        return entry_at(entries - 1).entered.view();
    }

    /// The first `number` calls are not compared any more.
    void forget(std::size_t number) {
        auto const entries = entries_.load(std::memory_order_acquire);
        while (oldest_ + 1 < entries && entry_at(oldest_ + 1).first <= number + 1) { ++oldest_; }
    }

private:
    struct entry {
        recorded_call entered;
        std::size_t first = 0;
    };
    static constexpr std::size_t usual = 16;

    // Sizes are powers of two, since a division takes longer than all else here.
    [[nodiscard]] entry& entry_at(std::size_t index) { return window_[index & (window_.size() - 1)]; }
    [[nodiscard]] entry const& entry_at(std::size_t index) const { return window_[index & (window_.size() - 1)]; }

    call_digest_count mark_;
    std::uint64_t digest_of_newest_ = 0;
    std::size_t added_ = 0;  ///< entries, among them those that are forgotten
    std::size_t room_until_ = usual;
    std::atomic<std::size_t> entries_ = 0;
    std::atomic<std::size_t> made_ = 0;
    std::size_t oldest_ = 0;                                 ///< entry; of those who read
    std::vector<entry> window_ = std::vector<entry>(usual);  ///< a ring
};

/// Compares the ranks' collective calls, the k-th of one rank with the k-th of all others.
///
/// `make` costs next to nothing and compares nothing: ranks whose marks differ when their messages match, or that get
/// no further, have to `compare`. Ranks make their calls at any time; all else is done by one thread at a time.
class call_log {
public:
    explicit call_log(int size) {
        for (int rank = 0; rank < size; ++rank) { ranks_.emplace_back(); }
    }

    /// Rank `rank` makes its next call. False if there is no room for it before `make_room`.
    [[nodiscard]] bool make(int rank, control::call const& entered) { return at(rank).add(entered); }

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
        if (!first_gone_ || made < first_gone_->made) { first_gone_ = returned_rank{rank, made}; }
        finished_.store(true, std::memory_order_relaxed);
        return compare();
    }

    /// The newest call of a rank, if it has made any.
    [[nodiscard]] std::optional<control::call> newest(int rank) const { return at(rank).newest(); }

private:
    struct returned_rank {
        int rank;
        std::size_t made;
    };

    [[nodiscard]] std::string too_few(int rank, std::size_t made, int other, std::size_t more) const {
        return text::joined({"tutti: mismatched collectives: rank ", rank, " returned after ",
                             text::word(made, "collective call"), ", rank ", other, " made ", more, ", next ",
                             control::text_of(at(other).at(made + 1).entered.view(), false),
                             "; make the same calls on all ranks"});
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
            if (!control::same_call(entered, expected)) {
                auto const by = control::text_of(entered, false) == control::text_of(expected, false);
                return text::joined({"tutti: mismatched collectives: call ", number, ": ",
                                     control::mismatch_sentence(control::text_of(entered, by), rank,
                                                                control::text_of(expected, by), other)});
            }
            number = std::min(own.last, others.last) + 1;
        }
        return std::nullopt;
    }

    std::deque<calls_of_rank> ranks_;
    std::size_t agreed_ = 0;               ///< calls that all ranks have made, and that are the same
    std::optional<returned_rank> first_gone_;  ///< the rank that has made the fewest calls of those that make no more
    std::atomic<bool> finished_ = false;
};

}  // namespace tutti::threads
