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

#include <tutti/generator/named.hpp>
#include <tutti/generator/pattern/arrival_order.hpp>
#include <tutti/generator/pattern/skips.hpp>
#include <tutti/generator/round_optimal.hpp>
#include <tutti/partition.hpp>
#include <tutti/problem.hpp>
#include <tutti/schedule.hpp>

namespace tutti::generators {

/// Rounds in which all ranks but one reduce n blocks: n-1+⌈log2 p⌉, ⌈log2(p-1)⌉ for one block, none for up to 2 ranks.
[[nodiscard]] constexpr std::size_t early_reduction_rounds(std::size_t size, std::size_t blocks) {
    if (size <= 2 || blocks == 0) { return 0; }
    return blocks == 1 ? round_optimal_rounds(size - 1, 1) : round_optimal_rounds(size, blocks);
}

/// Reduces the vectors of all ranks but ranks[0], each block to the rank that it reaches first in a round-optimal
/// broadcast from ranks[0], the last to ranks[1].
///
/// This is a reduction to ranks[0] that ends one hop before. There every block is complete on one rank, but for the
/// first, which would go to the root from q ranks: so block 0 is a placeholder. Then block b is at distance
/// s_j from the root, j = -1-b mod q, where the broadcast has it at s_k, k = b+1-n mod q; the ranks at these distances
/// change places, and then it is the same rank for each block.
/// A single block is reduced to ranks[1] as such, since then ranks[2], ranks[3], ... send last.
/// Result: a rank sends each block once, unless it keeps it. Block b is complete after round q-1+b.
class early_reduction {
public:
    early_reduction(std::vector<std::size_t> ranks, std::size_t place, partition const& cut)
        : ranks_{std::move(ranks)},
          place_{place},
          rounds_{early_reduction_rounds(ranks_.size(), cut.blocks())},
          absent_{ranks_.size() > 2 && cut.blocks() == 1 ? std::size_t{0} : 1},
          part_{absent_ != 0 ? among_all(cut.blocks()) : among_early(cut)} {}

    [[nodiscard]] std::size_t rounds() const { return rounds_; }
    [[nodiscard]] std::size_t steps() const { return place_ == 0 ? 0 : 2 * rounds_; }

    /// Without blocks if there is no message.
    [[nodiscard]] step operator()(std::size_t i) const {
        auto each = reduce_step(part_, i);
        if (each.blocks.empty()) { return each; }
        auto const block = each.blocks.begin()->first;
        bool const to_late_rank = absent_ != 0 && each.peer == 0;
        each.blocks = block < absent_ || to_late_rank ? block_list{} : block_list{block - absent_};
        each.peer = ranks_[each.peer];
        return each;
    }

private:
    [[nodiscard]] round_optimal_broadcast among_all(std::size_t blocks) {
        halving_skips const skips{ranks_.size()};
        auto const q = skips.count();
        auto place = place_;
        for (std::size_t k = 0; k < q; ++k) {
            auto const other = (2 * q - k - blocks % q) % q;
            if (place_ == skips[k]) { place = skips[other]; }
            if (k < other) { std::swap(ranks_[skips[k]], ranks_[skips[other]]); }
        }
        auto const with_absent = partition::equal(blocks + 1, blocks + 1);
        return round_optimal_broadcast{problem{place, ranks_.size(), 0, with_absent}};
    }

    [[nodiscard]] round_optimal_broadcast among_early(partition const& cut) {
        ranks_.erase(ranks_.begin());
        return round_optimal_broadcast{problem{place_ == 0 ? 0 : place_ - 1, ranks_.size(), 0, cut}};
    }

    std::vector<std::size_t> ranks_;  // by place in `part_`
    std::size_t place_;
    std::size_t rounds_;
    std::size_t absent_;  // blocks that do not exist
    round_optimal_broadcast part_;
};

/// Rounds in which n blocks of the late rank reach every rank: n-1+⌈log2 p⌉.
[[nodiscard]] constexpr std::size_t late_broadcast_rounds(std::size_t size, std::size_t blocks) {
    return round_optimal_rounds(size, blocks);
}

/// A round-optimal broadcast from `ranks[0]`, during which its vector is combined with the result of the others.
///
/// Of n blocks, block b < n-1 is combined by the first rank that it reaches, the one at distance s_k for k = b+1-n mod
/// q, and comes back to ranks[0] when that would be idle in a broadcast. Block n-1 goes the other way: ranks[1] sends
/// it to ranks[0] in the first round, when both have nothing else to do. If it is the only block, both send it.
/// Requires: those ranks have the combination of those blocks of all ranks but ranks[0].
/// Result: each block is complete on one rank and copied to the others, a single one on two ranks with operands in
/// the same order.
class late_broadcast {
public:
    late_broadcast(std::vector<std::size_t> ranks, std::size_t place, partition const& cut)
        : ranks_{std::move(ranks)}, place_{place}, part_{problem{place, ranks_.size(), 0, cut}, root_port::listens} {}

    [[nodiscard]] std::size_t rounds() const { return part_.rounds(); }
    [[nodiscard]] std::size_t steps() const { return 2 * part_.rounds(); }

    /// Without blocks if there is no message.
    [[nodiscard]] step operator()(std::size_t i) const {
        auto const last = part_.blocks() - 1;
        if (i == 0 && place_ == 1) { return step::send(0, ranks_[0], buffer::result(), last); }
        if (i == 1 && place_ == 0) { return step::receive_combine(0, ranks_[1], buffer::result(), last, side::left); }
        auto each = broadcast_step(part_, i);
        bool const from_late_rank = each.receives() && each.peer == 0;
        if (from_late_rank && each.round < std::max<std::size_t>(last, 1)) { each.what = action::receive_combine; }
        each.peer = ranks_[each.peer];
        return each;
    }

private:
    std::vector<std::size_t> ranks_;
    std::size_t place_;
    round_optimal_broadcast part_;
};

/// All others reduce while they wait for the rank that arrives last; then one broadcast of its vector is left.
///
/// The rank of the greatest (arrival, rank) is awaited. The others reduce each block to the rank that it will reach
/// first, in early_reduction_rounds(p, n) rounds; a single block to the second-last, the latest last. The blocks of the
/// last rank are combined where they come first and go on from there, in late_broadcast_rounds(p, n) rounds.
/// Errors: those of `check_arrivals`.
/// Cost in lock step, with n blocks and q = ⌈log2 p⌉: after the last arrival (n-1+q)(α + βm/n), and about 2γm/q where
/// ranks do not send while they combine; n-1+q is the least for n blocks of one rank. Before it (n-1+q)(α + (β+γ)m/n).
/// To generate: O(p log p), and O(1) a step.
/// Source: [traeff23]; [devraj25].
/// Counts of all_reduce: at most 2 (L + q - 1), half of them before the last rank arrives | at most m (2 q + L)/q | at
/// most 3/2 m (q + L)/q.
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

/// The steps of one rank before and after the late rank arrives.
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
    return without_empty_blocks(at.blocks, indexed_schedule(rounds, steps, [own](std::size_t i) { return (*own)(i); }));
}

}  // namespace tutti::generators

namespace tutti {
using generators::late_rank;
}  // namespace tutti
