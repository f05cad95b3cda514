// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <type_traits>

#include <tutti/cost/price.hpp>
#include <tutti/generator/named.hpp>
#include <tutti/problem.hpp>

namespace tutti::generators {

/// Segments go up the canonical tree one after another, and at each of its nodes they alternate between the two ranks
/// that have the products of the halves: one receives one segment, the other the next.
///
/// At a node of height h, digit h - 1 of the segment's number determines which. The root of a reduction sends its
/// operand to others: of two halves, the one without the root receives, and the last rank sends the result to the root.
/// So every rank sends each segment once and receives one message a segment on average, whatever the number of ranks:
/// as in a chain, but over ⌈log2 p⌉ + 1 hops.
/// Result: the canonical tree over all ranks in every element, on the root or on all ranks, any size, any root. For
/// all_reduce, totals go down as operands came up.
/// Cost: at most L m/q more if q is no multiple of 2^L. To generate: O(log p), and O(log² p) a segment.
/// Source: that halves take turns is new; with q = 2^L = p it is recursive halving, one block at a time.
/// Counts of reduce, q a multiple of 2^L: q + L, of up to L messages | m | m.
/// Counts of all_reduce: q + 2 L - 1, of up to L messages | at most 2 m | at most m.
struct alternating_tree {
    std::size_t segments = 0;  ///< 0: blocks of 128 KiB
    friend bool operator==(alternating_tree const&, alternating_tree const&) = default;
};

constexpr facts describe(collective::reduce, std::type_identity<alternating_tree>) {
    return {.name = "alternating_tree", .one_ported = false};
}
constexpr facts describe(collective::all_reduce, std::type_identity<alternating_tree>) {
    return {.name = "alternating_tree", .one_ported = false};
}

/// The nodes of the canonical tree that contain one rank, by their heights, and which ranks act for them.
class alternating_tree_position {
public:
    static constexpr std::size_t no_root = std::numeric_limits<std::size_t>::max();

    alternating_tree_position(std::size_t rank, std::size_t size, std::size_t root)
        : rank_{rank}, size_{size}, root_{root}, height_{height_of(size)} {
        node now{0, size};
        while (now.size() > 1) {
            nodes_[now.height()] = now;
            now = rank < now.middle() ? now.left() : now.right();
        }
    }

    [[nodiscard]] std::size_t height() const { return height_; }

    /// What a rank does at one node about one segment.
    struct part {
        bool acts = false;      ///< the rank has the product of its half
        bool receives = false;  ///< it is the one of the two that receives and goes on
        std::size_t peer = 0;
        side operand = side::right;  ///< on which side the peer's operand stands
    };

    [[nodiscard]] part at(std::size_t height, std::size_t segment) const {
        auto const& here = nodes_[height];
        if (here.size() == 0) { return {}; }
        for (std::size_t below = 1; below != height; ++below) {
            if (nodes_[below].size() != 0 && !goes_on(nodes_[below], segment)) { return {}; }
        }
        bool const left = rank_ < here.middle();
        return {true, goes_on(here, segment), actor_of(left ? here.right() : here.left(), segment),
                left ? side::right : side::left};
    }

    /// The rank that has the total of a segment.
    [[nodiscard]] std::size_t last_actor(std::size_t segment) const { return actor_of({0, size_}, segment); }

private:
    struct node {
        std::size_t first = 0;
        std::size_t last = 0;

        [[nodiscard]] std::size_t size() const { return last - first; }
        [[nodiscard]] std::size_t height() const { return height_of(size()); }
        [[nodiscard]] std::size_t middle() const { return first + (std::size_t{1} << (height() - 1)); }
        [[nodiscard]] node left() const { return {first, middle()}; }
        [[nodiscard]] node right() const { return {middle(), last}; }
        [[nodiscard]] bool contains(std::size_t rank) const { return first <= rank && rank < last; }
    };

    [[nodiscard]] static std::size_t height_of(std::size_t size) { return schedules::bit_width(size - 1); }

    [[nodiscard]] bool right_goes_on(node const& here, std::size_t segment) const {
        if (here.contains(root_)) { return root_ < here.middle(); }
        return (segment >> (here.height() - 1) & 1) != 0;
    }
    [[nodiscard]] bool goes_on(node const& here, std::size_t segment) const {
        return right_goes_on(here, segment) == (rank_ >= here.middle());
    }
    [[nodiscard]] std::size_t actor_of(node here, std::size_t segment) const {
        while (here.size() > 1) { here = right_goes_on(here, segment) ? here.right() : here.left(); }
        return here.first;
    }

    std::size_t rank_;
    std::size_t size_;
    std::size_t root_;
    std::size_t height_;
    std::array<node, std::numeric_limits<std::size_t>::digits + 1> nodes_{};
};

/// Segment s takes its k-th way in round s + k; of one round, a rank sends first. `way(k, s)` is a step, perhaps
/// without blocks.
template <class Way>
[[nodiscard]] lazy_schedule segments_in_turn(partition const& cut, std::size_t ways, Way way) {
    auto const segments = cut.blocks();
    if (segments == 0 || ways == 0) { return {}; }
    auto const rounds = segments + ways - 1;
    return schedules::without_empty_blocks(
        cut, schedules::indexed_schedule(rounds, rounds * 2 * ways, [=](std::size_t i) -> step {
            auto const round = i / (2 * ways);
            bool const sends = i % (2 * ways) < ways;
            auto const k = i % ways;
            if (round < k || round - k >= segments) { return {}; }
            auto result = way(k, round - k);
            result.round = round;
            if ((result.what == action::send) != sends) { result.blocks = {}; }
            return result;
        }));
}

[[nodiscard]] inline lazy_schedule generate(collective::reduce, alternating_tree const&, problem const& at) {
    alternating_tree_position const place{at.rank, at.size, at.root};
    auto const levels = place.height();
    return segments_in_turn(at.blocks, levels == 0 ? 0 : levels + 1, [=](std::size_t k, std::size_t segment) -> step {
        if (k == levels) {
            auto const last = place.last_actor(segment);
            if (at.rank == at.root) { return step::receive(0, last, buffer::result(), segment); }
            if (at.rank == last) { return step::send(0, at.root, buffer::result(), segment); }
            return {};
        }
        auto const now = place.at(k + 1, segment);
        if (!now.acts) { return {}; }
        return now.receives ? step::receive_combine(0, now.peer, buffer::result(), segment, now.operand)
                            : step::send(0, now.peer, buffer::result(), segment);
    });
}

[[nodiscard]] inline lazy_schedule generate(collective::all_reduce, alternating_tree const&, problem const& at) {
    alternating_tree_position const place{at.rank, at.size, alternating_tree_position::no_root};
    auto const levels = place.height();
    return segments_in_turn(at.blocks, 2 * levels, [=](std::size_t k, std::size_t segment) -> step {
        bool const up = k < levels;
        auto const now = place.at(up ? k + 1 : 2 * levels - k, segment);
        if (!now.acts) { return {}; }
        if (now.receives != up) { return step::send(0, now.peer, buffer::result(), segment); }
        return up ? step::receive_combine(0, now.peer, buffer::result(), segment, now.operand)
                  : step::receive(0, now.peer, buffer::result(), segment);
    });
}

/// One more hop to the root, which does not combine.
[[nodiscard, gnu::cold]] inline double time_of(collective::reduce, alternating_tree const& generator,
                                               pricing::message_costs const& costs, call_parameters const& now) {
    auto const levels = pricing::log2_of(now.size);
    return pricing::time_of_segments(generator.segments,
                            {.hops = levels + 1,
                             .combines = levels / (levels + 1),
                             .combines_at_once = now.fitted().alternating_trees,
                             .contention_factor = pricing::segment_contention(now)},
                            costs, now);
}

[[nodiscard, gnu::cold]] inline double time_of(collective::all_reduce, alternating_tree const& generator,
                                               pricing::message_costs const& costs, call_parameters const& now) {
    return pricing::time_of_segments(generator.segments,
                            {.hops = 2 * pricing::log2_of(now.size),
                             .combines = 0.5,
                             .messages = 2,
                             .kept = 1,
                             .combines_at_once = now.fitted().alternating_trees_both_ways,
                             .contention_factor = pricing::segment_contention(now)},
                            costs, now);
}

}  // namespace tutti::generators

namespace tutti {
using generators::alternating_tree;
}  // namespace tutti
