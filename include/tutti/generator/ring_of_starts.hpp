// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include <tutti/generator/named.hpp>
#include <tutti/partition.hpp>
#include <tutti/problem.hpp>
#include <tutti/schedule.hpp>
#include <tutti/text.hpp>

namespace tutti::generators {

/// A ring in which rank r starts the segments starts[r-1]+1 .. starts[r] (rank 0: 0 .. starts[0]), the last one first.
///
/// Segment j is the blocks [⌊jq/S⌋, ⌊(j+1)q/S⌋) of q, S = starts[p-1] + 1. Each goes once round the ring from where it
/// starts to be reduced, and once more to be distributed. With starts 0, 1, 2, ... this is `ring`.
/// Requires: a start for each rank, never falling; S >= p, or all equal to S-1; and if S > 64 p, rank 0 starts S - 64 p
/// segments at least, since that is how far sends run ahead of receives in a ring.
/// Segments are combined in the order of the ring from where they start.
/// Errors: std::invalid_argument, when schedules are generated, for other starts.
/// Cost: a rank sends 2S segments less those that the next two ranks start, and receives 2S less those that it and the
/// next rank start. To generate: O(p), and O(1) a step.
/// Source: the common form of the algorithms of [proficz18].
struct ring_of_starts {
    std::vector<std::size_t> starts;
    friend bool operator==(ring_of_starts const&, ring_of_starts const&) = default;
};

/// Where S > p, segments that are back on rank 0 wait for those that it still has to send: not in lock step.
constexpr facts describe(collective::all_reduce, std::type_identity<ring_of_starts>) {
    return {.name = "ring_of_starts", .requires_commutative = true, .one_ported = false};
}

/// A block for each segment.
[[nodiscard]] inline std::size_t blocks_for(ring_of_starts const& all, std::size_t /*size*/, std::size_t /*bytes*/) {
    return all.starts.empty() ? 1 : all.starts.back() + 1;
}

/// Throws std::invalid_argument unless `starts` are those of a ring of `size` ranks.
inline void check_starts(std::vector<std::size_t> const& starts, std::size_t size) {
    if (starts.size() != size) {
        throw std::invalid_argument{text::joined({"tutti: ring_of_starts needs a start for every rank, not ",
                                                  starts.size(), " for ", text::word(size, "rank")})};
    }
    if (!std::is_sorted(starts.begin(), starts.end())) {
        throw std::invalid_argument{"tutti: ring_of_starts needs starts that never fall from rank to rank"};
    }
    auto const segments = starts.back() + 1;
    if (segments < size && starts.front() + 1 != segments) {
        throw std::invalid_argument{"tutti: ring_of_starts cuts into as many segments as there are ranks at least, "
                                    "unless rank 0 starts all of them"};
    }
    auto const ahead = schedules::send_window * size;
    if (segments > ahead && starts.front() + 1 < segments - ahead) {
        throw std::invalid_argument{"tutti: in a ring of " + std::to_string(size) + " ranks and " +
                                    std::to_string(segments) + " segments rank 0 starts " +
                                    std::to_string(segments - ahead) + " of them at least; take fewer segments"};
    }
}

/// What one position of the ring does, where every position starts some of the segments, each down from its `first`.
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
    std::size_t early = 0;          ///< how many sends a receive stands before the send of its own iteration

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

/// The schedule of relabel(ordering{ranks}, ring_of_starts{starts}), of the same type as all rings.
[[nodiscard]] inline auto ring_through(std::vector<std::size_t> const& ranks, std::vector<std::size_t> const& starts,
                                       problem const& at) {
    auto const size = at.size;
    check_starts(starts, size);
    auto const segments = starts.back() + 1;
    auto const started = [&](std::size_t position) {
        return position == 0 ? starts[0] + 1 : starts[position] - starts[position - 1];
    };
    // the larger, the earlier a rank begins: each sends its first segment before the next one needs it
    auto const lead = [&](std::size_t position) { return starts[position] + size - position; };
    std::size_t longest = 0;
    for (std::size_t position = 0; position < size; ++position) { longest = std::max(longest, lead(position)); }
    auto const ahead = schedules::send_window * size;
    auto const part = [&](std::size_t position) {
        return ring_position{.before = ranks[(position + size - 1) % size],
                             .next = ranks[(position + 1) % size],
                             .size = size,
                             .segments = segments,
                             .first = starts[position],
                             .started = started(position),
                             .started_by_next = started((position + 1) % size),
                             .started_by_second = started((position + 2) % size),
                             .first_round = longest - lead(position),
                             .early = position == 0 && segments > ahead ? segments - ahead : 0};
    };
    std::size_t rounds = 0;
    std::size_t own = 0;
    for (std::size_t position = 0; position < size; ++position) {
        rounds = std::max(rounds, part(position).rounds());
        if (ranks[position] == at.rank) { own = position; }
    }
    return ring_schedule(at.blocks, rounds, part(own));
}

[[nodiscard]] inline lazy_schedule generate(collective::all_reduce, ring_of_starts const& all, problem const& at) {
    std::vector<std::size_t> ranks(at.size);
    std::iota(ranks.begin(), ranks.end(), std::size_t{0});
    return ring_through(ranks, all.starts, at);
}

}  // namespace tutti::generators

namespace tutti {
using generators::ring_of_starts;
}  // namespace tutti
