// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include <tutti/generator/pattern/skips.hpp>

namespace tutti::generators {

/// Which block a rank sends or receives in round k of a phase of q rounds, k = 0 .. q-1: 0 .. q-1 are the blocks of
/// the phase, -q .. -1 those of the phase before. Small, because some algorithms keep one for every rank.
using block_schedule = std::array<std::int8_t, halving_skips::most>;

/// The last skip in the greedy sum of skips that is `rank`, q for the root: the rank's first block arrives in that
/// round of a phase. Ranks are relative to the root, here and below.
[[nodiscard]] constexpr std::size_t baseblock(halving_skips const& skips, std::size_t rank) {
    for (auto k = skips.count(); k-- > 0;) {
        if (rank < skips[k]) { continue; }
        rank -= skips[k];
        if (rank == 0) { return k; }
    }
    return skips.count();
}

[[nodiscard]] constexpr std::int8_t of_phase_before(std::size_t block, std::size_t q) {
    return static_cast<std::int8_t>(static_cast<int>(block) - static_cast<int>(q));
}

/// The skips s_q .. s_0, largest first, less those that were erased.
class remaining_skips {
public:
    explicit constexpr remaining_skips(std::size_t count) : end_{count + 1} {
        for (std::size_t k = 0; k <= end_; ++k) {
            lower_[k] = static_cast<std::uint8_t>(k == 0 ? end_ : k - 1);
            higher_[k] = static_cast<std::uint8_t>(k == end_ ? 0 : k + 1);
        }
    }

    [[nodiscard]] constexpr std::size_t first() const { return lower_[end_]; }
    [[nodiscard]] constexpr std::size_t after(std::size_t k) const { return lower_[k]; }
    [[nodiscard]] constexpr std::size_t end() const { return end_; }

    constexpr void erase(std::size_t k) {
        lower_[higher_[k]] = lower_[k];
        higher_[lower_[k]] = higher_[k];
    }

private:
    static constexpr std::size_t most = halving_skips::most + 2;
    std::size_t end_;  // stands before the first and after the last
    std::array<std::uint8_t, most> lower_{};
    std::array<std::uint8_t, most> higher_{};
};

/// The block that comes from rank - s_k in round k.
///
/// In round k a greedy sum of skips, smaller than those of the rounds before, stops as soon as it is in the window
/// (rank + p - s_{k+1}, rank + p - s_k], or where it ends. Its last skip determines which block comes, and is used up.
/// As sums only become smaller, each is had from the one before by taking skips back.
/// Requires rank < p. Result: q different blocks; the only one of the phase itself is the baseblock, in the round with
/// s_k <= rank < s_{k+1}.
/// Cost: O(log p). Source: [traeff23].
[[nodiscard]] constexpr block_schedule receive_schedule(halving_skips const& skips, std::size_t rank) {
    auto const q = skips.count();
    auto const base = baseblock(skips, rank);
    auto const distance = rank + skips.size();
    remaining_skips unused{q};
    unused.erase(base);

    std::array<std::uint8_t, halving_skips::most + 1> taken{};
    std::size_t count = 0;
    std::size_t sum = 0;
    auto next = unused.first();
    auto const take_back = [&] {
        std::size_t const last = taken[--count];
        sum -= skips[last];
        next = unused.after(last);
        return last;
    };

    block_schedule result{};
    auto below = distance + 1;
    for (std::size_t k = 0; k < q; ++k) {
        auto const top = std::min(distance - skips[k], below - 1);
        auto const window = distance - skips[k + 1];
        while (sum > top || (count != 0 && sum - skips[taken[count - 1]] > window)) { take_back(); }
        while (sum <= window && next != unused.end()) {
            if (sum + skips[next] <= top) {
                sum += skips[next];
                taken[count++] = static_cast<std::uint8_t>(next);
            }
            next = unused.after(next);
        }
        below = sum;
        auto const last = take_back();
        unused.erase(last);
        result[k] = last == q ? static_cast<std::int8_t>(base) : of_phase_before(last, q);
    }
    return result;
}

/// The block that goes to rank + s_k in round k, which is the one that this rank receives in that round.
///
/// Most entries follow from the place of the rank among its neighbours, the others from the peer's schedule.
/// Requires rank < p. Result: for the root the blocks of the phase in order; for others in round 0 the baseblock of the
/// phase before, later that one or one that came in an earlier round.
/// Cost: O(log p).
/// Source: [traeff23].
[[nodiscard]] constexpr block_schedule send_schedule(halving_skips const& skips, std::size_t rank) {
    auto const q = skips.count();
    block_schedule result{};
    if (rank == 0) {
        for (std::size_t k = 0; k < q; ++k) { result[k] = static_cast<std::int8_t>(k); }
        return result;
    }
    auto const base = baseblock(skips, rank);
    auto block = static_cast<std::int8_t>(base);
    auto place = rank;  // in a range of ranks that send the same in the rounds above
    auto range = skips.size();
    for (auto k = q - 1; k >= 1; --k) {
        bool certain = false;
        if (place < skips[k]) {
            certain = place + skips[k] < range || range < skips[k - 1] || (k == 1 && base > 0);
            range = std::min(range, skips[k]);
        } else {
            block = of_phase_before(k, q);
            certain = k == 1 || place > skips[k] || range - skips[k] < skips[k - 1];
            place -= skips[k];
            range -= skips[k];
        }
        result[k] = certain ? block : receive_schedule(skips, (rank + skips[k]) % skips.size())[k];
    }
    result[0] = of_phase_before(base, q);
    return result;
}

}  // namespace tutti::generators
