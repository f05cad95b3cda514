// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <tutti/communicator.hpp>
#include <tutti/communicator/threads/recorded_call.hpp>

namespace tutti::threads {

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
    bool add(call const& entered) {
        if (added_ == 0 || !same_call(entered, entry_at(added_ - 1).entered.view())) {
            if (added_ == room_until_) { return false; }
            auto& fresh = entry_at(added_);
            fresh.entered.assign(entered);
            fresh.first = mark_.made + 1;
            digest_of_newest_ = digest_of(entered);
            entries_.store(++added_, std::memory_order_release);
        }
        mark_.digest = digest_with(mark_.digest, digest_of_newest_);
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
    [[nodiscard]] std::optional<call> newest() const {
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

}  // namespace tutti::threads
