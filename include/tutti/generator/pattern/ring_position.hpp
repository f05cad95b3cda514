// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>

#include <tutti/partition.hpp>
#include <tutti/problem.hpp>
#include <tutti/schedule.hpp>

namespace tutti {

/// What one position of a ring does if every position starts some of the segments, each down from its `first`: all the
/// same number in `ring`, others in `ring_of_starts`, where late ranks start fewer.
///
/// In iteration T a position receives segment (first - T) mod `segments`, unless T < `started`, and sends it. Segments
/// are combined while T < `segments`; later they are complete. What a position sends in iteration T, the next one
/// receives in its iteration T + `started_by_next`: on every link messages arrive in the order in which they are
/// needed. No rank sends a segment that the next rank has complete. A receive stands directly before its iteration's
/// send, or `early` sends before that.
/// Cost: O(1) for each step.
struct ring_position {
    std::size_t before;  ///< the rank from which it receives
    std::size_t next;    ///< the rank to which it sends
    std::size_t size;    ///< of the ring
    std::size_t segments;
    std::size_t first;    ///< segment of iteration 0
    std::size_t started;  ///< how many segments it starts
    std::size_t started_by_next;
    std::size_t started_by_second;  ///< after this one
    std::size_t first_round = 0;    ///< of iteration 0
    std::size_t early = 0;          ///< how many sends a receive stands before that of its own iteration

    [[nodiscard]] std::size_t receives() const { return 2 * segments - started_by_next - started; }
    [[nodiscard]] std::size_t sends() const { return 2 * segments - started_by_next - started_by_second; }
    [[nodiscard]] std::size_t steps() const { return receives() + sends(); }
    /// Until its last receive; none if it is alone.
    [[nodiscard]] std::size_t rounds() const {
        return receives() == 0 ? 0 : round_of(started + receives() - 1) - early;
    }

    /// The i-th of all `steps`, if the vector is cut into `blocks` blocks.
    [[nodiscard]] step step_at(std::size_t i, std::size_t blocks) const {
        auto const alone = started - early;
        auto const pairs = std::min(receives(), sends() - alone);
        if (i < alone) { return send(i, blocks); }
        i -= alone;
        if (i < 2 * pairs) { return i % 2 == 0 ? receive(started + i / 2, blocks) : send(alone + i / 2, blocks); }
        i -= pairs;  // what is left follows the pairs
        return receives() > pairs ? receive(started + i, blocks) : send(alone + i, blocks);
    }

private:
    [[nodiscard]] block_range segment_of(std::size_t iteration, std::size_t blocks) const {
        auto const segment = (first + 2 * segments - iteration) % segments;
        return {segment * blocks / segments, (segment + 1) * blocks / segments};
    }
    /// With fewer segments than positions the first complete one is back only after all positions had their turn.
    [[nodiscard]] std::size_t round_of(std::size_t iteration) const {
        return iteration + first_round + (iteration >= segments && size > segments ? size - segments : 0);
    }
    [[nodiscard]] step send(std::size_t iteration, std::size_t blocks) const {
        return step::send(round_of(iteration), next, buffer::result(), segment_of(iteration, blocks));
    }
    [[nodiscard]] step receive(std::size_t iteration, std::size_t blocks) const {
        auto const round = round_of(iteration) - 1 - early;
        auto const part = segment_of(iteration, blocks);
        return iteration < segments ? step::receive_combine(round, before, buffer::result(), part, side::left)
                                    : step::receive(round, before, buffer::result(), part);
    }
};

/// All steps of a position whose segments hold elements.
[[nodiscard]] inline auto ring_schedule(partition const& cut, std::size_t rounds, ring_position const& self) {
    return without_empty_blocks(
        cut, indexed_schedule(rounds, self.steps(),
                              [self, blocks = cut.blocks()](std::size_t i) { return self.step_at(i, blocks); }));
}

}  // namespace tutti
