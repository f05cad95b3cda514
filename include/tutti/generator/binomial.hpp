// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cmath>
#include <cstddef>
#include <type_traits>
#include <utility>

#include <tutti/cost/price.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/generator/named.hpp>
#include <tutti/problem.hpp>

namespace tutti::generators {

/// Neighbouring groups of 1, 2, 4, ... ranks merge, one doubling a round.
///
/// A group is represented by the root if the root is in it, otherwise by its first rank; of two groups that
/// merge, the representative of both receives the whole vector from the other one.
/// Cost: ⌈log2 p⌉ (α + (β+γ)m), one message per rank but the root.
/// Source: [thakur05]. Counts of reduce: L | m | L m.
struct binomial {
    friend bool operator==(binomial const&, binomial const&) = default;
};

constexpr facts describe(collective::reduce, std::type_identity<binomial>) { return {.name = "binomial"}; }

[[nodiscard, gnu::cold]] inline lazy_schedule generate(collective::reduce, binomial const&, problem const& at) {
    block_list const whole{block_range{0, at.blocks.blocks()}};
    auto const representative = [&](std::size_t first, std::size_t last) {
        return first <= at.root && at.root < last ? at.root : first;
    };
    dynamic_array<step> steps;
    std::size_t round = 0;
    bool merged = at.blocks.elements() == 0;
    for (std::size_t width = 1; width < at.size; width *= 2, ++round) {
        auto const first = at.rank / (2 * width) * (2 * width);
        auto const middle = first + width;
        auto const last = middle + width;
        if (merged || middle >= at.size) { continue; }
        auto const lower = representative(first, middle);
        auto const upper = representative(middle, last);
        auto const peer = at.rank == lower ? upper : lower;
        if (at.rank == representative(first, last)) {
            steps.push_back(step::receive_combine(round, peer, buffer::result(), whole,
                                                  peer < at.rank ? side::left : side::right));
        } else {
            steps.push_back(step::send(round, peer, buffer::result(), whole));
            merged = true;
        }
    }
    return stored_schedule(round, std::move(steps));
}

/// A range of ranks [first, last) is halved at `middle`; messages between the halves pass between their first ranks,
/// `first` and `middle`.
struct range_split {
    std::size_t level;  ///< 0 for the range of all ranks
    std::size_t first;
    std::size_t middle;
    std::size_t last;
    friend bool operator==(range_split const&, range_split const&) = default;
};

/// Levels of splits until every range is one rank: ⌈log2 p⌉.
[[nodiscard]] constexpr std::size_t split_levels(std::size_t size) { return schedules::bit_width(size - 1); }

/// The splits in which `rank` is `first` or `middle`, from the range of all `size` ranks down; of an odd number of
/// ranks the larger half is the first.
///
/// A rank is `middle` once at most, in the first of its splits: it receives there what it passes on. Cost: O(log p).
[[nodiscard]] inline dynamic_array<range_split> splits_of(std::size_t rank, std::size_t size) {
    dynamic_array<range_split> result;
    std::size_t first = 0;
    auto last = size;
    for (std::size_t level = 0; last - first > 1; ++level) {
        auto const middle = last - (last - first) / 2;
        if (rank == first || rank == middle) { result.push_back({level, first, middle, last}); }
        (rank < middle ? last : first) = middle;
    }
    return result;
}

/// A range of ranks, counted from the root on, is halved: its first rank sends the parts of the second half to the
/// first rank of that half, and both go on with their halves. Reversed, it is a gather.
///
/// One message to every rank but the root.
/// Cost: for equal parts ⌈log2 p⌉ α + (p-1)/p m β. To generate: O(log p). Counts of scatter: L | m (p - 1)/p | 0.
constexpr facts describe(collective::scatter, std::type_identity<binomial>) { return {.name = "binomial"}; }

[[nodiscard, gnu::cold]] inline lazy_schedule generate(collective::scatter, binomial const&, problem const& at) {
    auto const position = (at.rank + at.size - at.root) % at.size;
    auto const rank_at = [&](std::size_t any_position) { return (any_position + at.root) % at.size; };
    dynamic_array<step> steps;
    for (auto const& split : splits_of(position, at.size)) {
        auto parts = ownership::blocks_of_ranks(at.root + split.middle, split.last - split.middle, at.size,
                                                at.blocks.blocks());
        steps.push_back(position == split.first
                            ? step::send(split.level, rank_at(split.middle), buffer::result(), std::move(parts))
                            : step::receive(split.level, rank_at(split.first), buffer::result(), std::move(parts)));
    }
    return without_empty_blocks(at.blocks, stored_schedule(split_levels(at.size), std::move(steps)));
}

[[nodiscard, gnu::cold]] inline double time_of(collective::reduce, binomial const&, pricing::message_costs const& costs,
                                               call_parameters const& now) {
    return pricing::log2_of(now.size) * costs.one_way(static_cast<double>(now.bytes), now.mean_contention());
}

/// Long messages of a rank are sent at once and share its link, so that the longest, half of what the rank has, arrives
/// last, and only then its receiver sends.
[[nodiscard, gnu::cold]] inline double time_of(collective::scatter, binomial const&,
                                               pricing::message_costs const& costs, call_parameters const& now) {
    auto const levels = pricing::log2_of(now.size);
    auto const ranks = static_cast<double>(now.size);
    auto const shares = 2 - 2 / std::exp2(levels) - levels / ranks;
    return levels * costs.latency() + costs.transmission(static_cast<double>(now.bytes) * shares);
}

}  // namespace tutti::generators

namespace tutti {
using generators::binomial;
}  // namespace tutti
