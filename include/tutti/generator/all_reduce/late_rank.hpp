// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include <tutti/generator.hpp>
#include <tutti/generator/all_reduce/late_rank/early_reduction.hpp>
#include <tutti/generator/all_reduce/late_rank/late_broadcast.hpp>
#include <tutti/generator/arrival_order.hpp>
#include <tutti/generator/occupied.hpp>

namespace tutti {

/// All others reduce while they wait for the rank that comes last; what is left then is one broadcast of its vector.
///
/// The rank of the greatest (arrival, rank) is awaited. The others reduce each block to the rank that it will reach
/// first, in early_reduction_rounds(p, n) rounds; a single block to the second-last, the latest last. The blocks of the
/// last rank are combined where they come first and go on from there, in late_broadcast_rounds(p, n) rounds.
/// Requires: the same values on all ranks. Wrong estimates cost time and nothing else.
/// Result: on every rank the combination of all x_r, identical bits, any size; commutative operators only.
/// Errors: std::invalid_argument, when schedules are generated, for another number of arrivals than of ranks and for
/// values that are not finite.
/// Cost in lock step, with n blocks and q = ⌈log2 p⌉: after the last arrival (n-1+q)(α + βm/n), and about 2γm/q where
/// ranks do not send while they combine; n-1+q is the least for n blocks of one rank. Before it (n-1+q)(α + (β+γ)m/n).
/// To generate: O(p log p), and O(1) a step.
/// Source: Träff, Optimal Broadcast Schedules in Logarithmic Time; Devraj et al., Efficient AllReduce with Stragglers.
struct late_rank {
    std::vector<double> arrivals{};  ///< when each rank is expected; none: the last rank is late
    std::size_t segments = 0;        ///< 0: as many as the length of the vector asks for
    friend bool operator==(late_rank const&, late_rank const&) = default;
};

constexpr facts describe(collective::all_reduce, std::type_identity<late_rank>) {
    return {.name = "late_rank", .requires_commutative = true};
}

/// The number of blocks that is best after the arrival, √((q-1)mβ/α), if a message of 16 KiB takes twice the time of an
/// empty one; for long vectors more, blocks of 128 KiB.
[[nodiscard]] inline std::size_t blocks_for(late_rank const& known, std::size_t size, std::size_t bytes) {
    if (known.segments != 0) { return known.segments; }
    if (size == 1 || bytes == 0) { return 1; }
    auto const further_rounds = static_cast<double>(std::bit_width(size - 1) - 1);
    auto const best = std::sqrt(further_rounds * static_cast<double>(bytes) / (16 * 1024));
    return std::max({std::size_t{1}, static_cast<std::size_t>(best), (bytes - 1) / default_segment + 1});
}

/// What one rank does before the late rank arrives, and then.
struct late_rank_part {
    early_reduction before;
    late_broadcast after;

    [[nodiscard]] step operator()(std::size_t i) const {
        if (i < before.steps()) { return before(i); }
        auto each = after(i - before.steps());
        each.round += before.rounds();
        return each;
    }
};

[[nodiscard]] inline lazy_schedule generate(collective::all_reduce, late_rank const& known, problem const& at) {
    auto ranks = arrival_order("late_rank", known.arrivals, at.size);
    std::reverse(ranks.begin(), ranks.end());
    auto const place = static_cast<std::size_t>(std::find(ranks.begin(), ranks.end(), at.rank) - ranks.begin());
    early_reduction before{ranks, place, at.blocks};
    late_broadcast after{ranks, place, at.blocks};
    auto const rounds = before.rounds() + after.rounds();
    auto const steps = before.steps() + after.steps();
    auto const own = std::make_shared<late_rank_part const>(late_rank_part{std::move(before), std::move(after)});
    return occupied(at.blocks, indexed_schedule(rounds, steps, [own](std::size_t i) { return (*own)(i); }));
}

}  // namespace tutti
