// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include <tutti/generator/pattern/skips.hpp>
#include <tutti/generator/round_optimal.hpp>
#include <tutti/partition.hpp>
#include <tutti/problem.hpp>
#include <tutti/schedule.hpp>

namespace tutti {

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

}  // namespace tutti
