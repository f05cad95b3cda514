// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <random>
#include <type_traits>
#include <utility>
#include <vector>

#include <tutti/generator/named.hpp>
#include <tutti/problem.hpp>

/// A ring in two loops, as textbooks have it: all segments are reduced, then overwritten by complete ones.
struct ring_loops {
    enum class mistake { none, distributes_from_own_start, waits_for_wrong_segment };

    std::vector<std::size_t> starts;
    mistake made = mistake::none;
    friend bool operator==(ring_loops const&, ring_loops const&) = default;

    /// The rank that starts the segment.
    [[nodiscard]] std::size_t starter(std::size_t segment) const {
        std::size_t rank = 0;
        while (starts[rank] < segment) { ++rank; }
        return rank;
    }
};

constexpr tutti::facts describe(tutti::collective::all_reduce, std::type_identity<ring_loops>) {
    return {.name = "ring_loops", .requires_commutative = true, .one_ported = false};
}

/// All in one round: this says only in which order.
[[nodiscard]] inline auto generate(tutti::collective::all_reduce, ring_loops const& ring, tutti::problem const& at) {
    using tutti::step;
    auto const size = at.size;
    auto const segments = ring.starts.back() + 1;
    auto const next = (at.rank + 1) % size;
    auto const before = (at.rank + size - 1) % size;
    auto const held = tutti::buffer::result();
    auto const part = [&](std::size_t segment) {
        auto const blocks = at.blocks.blocks();
        return tutti::schedules::block_range{segment * blocks / segments, (segment + 1) * blocks / segments};
    };
    auto const completes = [&](std::size_t segment) { return (ring.starter(segment) + size - 1) % size; };

    std::vector<step> steps;
    for (std::size_t t = 0; size != 1 && t < segments; ++t) {
        auto const segment = (ring.starts[at.rank] + segments - t) % segments;
        if (ring.starter(segment) != at.rank) {
            steps.push_back(step::receive_combine(0, before, held, part(segment), tutti::side::left));
        }
        steps.push_back(step::send(0, next, held, part(segment)));
    }
    auto const from =
        ring.made == ring_loops::mistake::distributes_from_own_start ? ring.starts[at.rank] + 1 : ring.starts[next];
    for (std::size_t t = 0; size != 1 && t < segments; ++t) {
        auto const segment = (from + segments - t) % segments;
        bool const complete = ring.made == ring_loops::mistake::waits_for_wrong_segment ? completes(segment) == segment
                                                                                        : completes(segment) == at.rank;
        if (complete) { continue; }
        steps.push_back(step::receive(0, before, held, part(segment)));
        if (completes(segment) != next) { steps.push_back(step::send(0, next, held, part(segment))); }
    }
    return without_empty_blocks(at.blocks, stored_schedule(1, std::move(steps)));
}

/// Starts of a ring with so many segments; many of them equal.
[[nodiscard]] inline std::vector<std::size_t> random_starts(std::size_t size, std::size_t segments,
                                                            std::mt19937& random) {
    std::vector<std::size_t> starts(size, segments - 1);
    auto const spread = 1 + random() % segments;
    for (auto rank = size - 1; rank-- > 0;) {
        auto const step = random() % 3 == 0 ? random() % spread : random() % 2;
        starts[rank] = starts[rank + 1] - std::min<std::size_t>(starts[rank + 1], step);
    }
    return starts;
}
