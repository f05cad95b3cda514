// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include <tutti/generator/reduce/round_optimal.hpp>
#include <tutti/partition.hpp>
#include <tutti/problem.hpp>
#include <tutti/schedule.hpp>

namespace tutti {

/// Rounds in which n blocks of the late rank reach everybody: n-1+⌈log2 p⌉.
[[nodiscard]] constexpr std::size_t late_broadcast_rounds(std::size_t size, std::size_t blocks) {
    return round_optimal_rounds(size, blocks);
}

/// A round-optimal broadcast from `ranks[0]` on the way of which its vector is combined with what the others have.
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

}  // namespace tutti
