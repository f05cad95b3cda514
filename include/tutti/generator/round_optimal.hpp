// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>

#include <tutti/cost/price.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/generator/named.hpp>
#include <tutti/generator/pattern/block_schedule.hpp>
#include <tutti/generator/pattern/skips.hpp>
#include <tutti/partition.hpp>
#include <tutti/problem.hpp>

namespace tutti::generators {

/// In each round a rank sends a block over the skip s_k and receives one from the other side; the skips take turns.
///
/// A broadcast on a circulant graph, and its reversal as a reduction. With q = ⌈log2 p⌉ the root sends block j of a
/// broadcast from round j on, and has block j of a reduction after round q-1+j.
/// Blocks have different trees. Every other rank sends each block once, and no rank has more than 2q neighbours.
/// No reduction has fewer rounds if a rank sends one block and receives one at a time.
/// Cost in lock step: (n-1+q)(α + (β+γ)m/n); best n about √((q-1)m(β+γ)/α). To generate: O(log p), and O(1) a step.
/// Source: [traeff23]. Counts of reduce: L + q - 1, the fewest of all | m | at most m (q + L - 1)/q.
struct round_optimal {
    std::size_t segments = 0;  ///< 0: blocks of 128 KiB
    friend bool operator==(round_optimal const&, round_optimal const&) = default;
};

constexpr facts describe(collective::reduce, std::type_identity<round_optimal>) {
    return {.name = "round_optimal", .requires_commutative = true, .keeps_round_order = true};
}
constexpr facts describe(collective::broadcast, std::type_identity<round_optimal>) {
    return {.name = "round_optimal", .keeps_round_order = true};
}

/// n-1+q, if there is anything to send.
[[nodiscard]] constexpr std::size_t round_optimal_rounds(std::size_t size, std::size_t blocks) {
    return size == 1 || blocks == 0 ? 0 : blocks - 1 + schedules::bit_width(size - 1);
}

/// Whether the root of a broadcast also receives the blocks that ranks at distance s_k would send it: every block but
/// the last, once, each after it was sent, and none in the first round.
enum class root_port { idle, listens };

/// The blocks that one rank sends and receives in each round of a round-optimal broadcast.
class round_optimal_broadcast {
public:
    struct message {
        std::size_t peer;
        std::optional<std::size_t> block;  ///< without one there is no message
    };

    explicit round_optimal_broadcast(problem const& at, root_port of_root = root_port::idle)
        : of_root_{of_root},
          skips_{at.size},
          root_{at.root},
          place_{(at.rank + at.size - at.root) % at.size},
          blocks_{at.blocks.blocks()},
          received_{receive_schedule(skips_, place_)},
          sent_{send_schedule(skips_, place_)},
          rounds_{round_optimal_rounds(at.size, blocks_)} {
        // the last round has the last skip
        if (rounds_ != 0) { first_ = skips_.count() - 1 - (rounds_ - 1) % skips_.count(); }
    }

    [[nodiscard]] std::size_t rounds() const { return rounds_; }
    [[nodiscard]] std::size_t blocks() const { return blocks_; }

    [[nodiscard]] message sent(std::size_t round) const {
        auto const k = turn(round);
        auto const to = place_ + skips_[k];
        bool const in_vain = to == skips_.size() && of_root_ == root_port::idle;
        return {rank_at(to), in_vain ? std::nullopt : block(sent_[k], k, round)};
    }
    [[nodiscard]] message received(std::size_t round) const {
        auto const k = turn(round);
        auto const from = place_ + skips_.size() - skips_[k];
        bool const in_vain = place_ == 0 && of_root_ == root_port::idle;
        return {rank_at(from), in_vain ? std::nullopt : block(received_[k], k, round)};
    }

private:
    [[nodiscard]] std::size_t turn(std::size_t round) const { return (first_ + round) % skips_.count(); }
    [[nodiscard]] std::size_t rank_at(std::size_t place) const { return (root_ + place) % skips_.size(); }

    /// Block `of_phase` of the phase that began with skip s_0, k rounds ago. There are none before block 0, and the
    /// last block takes the place of those that would come after it.
    [[nodiscard]] std::optional<std::size_t> block(int of_phase, std::size_t k, std::size_t round) const {
        auto const number = of_phase + static_cast<std::ptrdiff_t>(round) - static_cast<std::ptrdiff_t>(k);
        if (number < 0) { return std::nullopt; }
        return std::min(static_cast<std::size_t>(number), blocks_ - 1);
    }

    root_port of_root_;
    halving_skips skips_;
    std::size_t root_;
    std::size_t place_;  // the rank relative to the root
    std::size_t blocks_;
    block_schedule received_;
    block_schedule sent_;
    std::size_t rounds_;
    std::size_t first_ = 0;  // the skip of round 0
};

/// Half of round i / 2: the send if i is even, since it waits for nothing, otherwise the receive. Without blocks if
/// there is no message.
[[nodiscard]] inline step broadcast_step(round_optimal_broadcast const& part, std::size_t i) {
    auto const round = i / 2;
    bool const sends = i % 2 == 0;
    auto const each = sends ? part.sent(round) : part.received(round);
    auto const blocks = each.block ? block_list{*each.block} : block_list{};
    return sends ? step::send(round, each.peer, buffer::result(), blocks)
                 : step::receive(round, each.peer, buffer::result(), blocks);
}

/// The same for the reduction: the rounds last first, and the blocks too, as reductions begin with block 0.
[[nodiscard]] inline step reduce_step(round_optimal_broadcast const& part, std::size_t i) {
    auto const round = i / 2;
    auto const reversed = part.rounds() - 1 - round;
    bool const sends = i % 2 == 0;
    auto const each = sends ? part.received(reversed) : part.sent(reversed);
    auto const blocks = each.block ? block_list{part.blocks() - 1 - *each.block} : block_list{};
    return sends ? step::send(round, each.peer, buffer::result(), blocks)
                 : step::receive_combine(round, each.peer, buffer::result(), blocks, side::right);
}

template <class Collective>
concept moves_whole_vector =
    std::same_as<Collective, collective::reduce> || std::same_as<Collective, collective::broadcast>;

template <moves_whole_vector Collective>
[[nodiscard]] lazy_schedule generate(Collective, round_optimal const&, problem const& at) {
    round_optimal_broadcast const part{at};
    auto const step = [part](std::size_t i) {
        return std::same_as<Collective, collective::reduce> ? reduce_step(part, i) : broadcast_step(part, i);
    };
    auto const all = schedules::indexed_schedule(part.rounds(), 2 * part.rounds(), step);
    return schedules::without_empty_blocks(at.blocks, all);
}

/// The round-optimal reductions of all parts at once, each to the owner of the part: for parts of any sizes.
///
/// Every part is cut into n blocks; the last of a rank that has fewer is empty. With the skips s_k in turn, a rank
/// sends to the rank s_k before it at most one block of each part, all in one message in the order of their owners.
/// Blocks have different trees. Reversed, it is an all_gather.
/// Rank r sends every block but its own once, m - c_r elements of m in all; no message is
/// longer than the sum of all ⌈c_j / n⌉.
/// Cost for any c_j: at most (n-1+q)α + (m + (q-1)m/n)(β + γ). One part that is everything costs what a pipelined
/// reduction costs, best for n about √((q-1)m(β+γ)/α); equal parts cost with n = 1 what `circulant` does.
/// To generate: O(p log p), and O(p) for each step.
/// Source: [traeff23].
/// Counts of reduce_scatter, parts of very different sizes in q segments each: q - 1 + L | all but its own part | as
/// much.
constexpr facts describe(collective::reduce_scatter, std::type_identity<round_optimal>) {
    return {.name = "round_optimal", .requires_commutative = true, .keeps_round_order = true};
}

/// n for each rank, whatever its part. If it is not given, a message is about 128 KiB long, so that its latency is
/// small beside its transfer, and longer for so many ranks that it would hold less than 1 KiB of each part.
[[nodiscard]] constexpr std::size_t blocks_for(collective::reduce_scatter, round_optimal const& all, std::size_t size,
                                               std::size_t bytes) {
    auto const message = std::max(default_segment, 1024 * size);
    return size * (all.segments != 0 ? all.segments : std::max<std::size_t>(1, bytes / message));
}

/// The blocks that every rank receives in each round of the broadcasts of all parts at once.
class round_optimal_parts {
public:
    explicit round_optimal_parts(problem const& at)
        : skips_{at.size},
          cut_{at.blocks},
          pieces_{(cut_.blocks() + at.size - 1) / at.size},
          rounds_{round_optimal_rounds(at.size, pieces_)},
          schedules_(at.size * skips_.count()) {
        if (rounds_ == 0) { return; }
        // the last round has the last skip
        first_ = skips_.count() - 1 - (rounds_ - 1) % skips_.count();
        for (std::size_t place = 0; place < at.size; ++place) {
            auto const received = receive_schedule(skips_, place);
            for (std::size_t k = 0; k < skips_.count(); ++k) { schedules_[k * at.size + place] = received[k]; }
        }
    }

    [[nodiscard]] std::size_t rounds() const { return rounds_; }
    [[nodiscard]] std::size_t size() const { return skips_.size(); }
    [[nodiscard]] std::size_t skip(std::size_t round) const { return skips_[turn(round)]; }

    /// The blocks that hold elements.
    [[nodiscard]] block_list received(std::size_t rank, std::size_t round) const {
        auto const k = turn(round);
        auto const* const schedule = &schedules_[k * size()];
        block_list result;
        block_range next;
        for (std::size_t owner = 0; owner < size(); ++owner) {
            if (owner == rank) { continue; }
            auto const place = owner < rank ? rank - owner : rank + size() - owner;
            auto const number = schedule[place] + static_cast<std::ptrdiff_t>(round) - static_cast<std::ptrdiff_t>(k);
            if (number < 0) { continue; }
            auto const part = ownership::blocks_of(owner, size(), cut_.blocks());
            auto const block = part.first + std::min(static_cast<std::size_t>(number), pieces_ - 1);
            if (block >= part.last || cut_.size(block) == 0) { continue; }
            if (block != next.last) {
                result.append(next);
                next.first = block;
            }
            next.last = block + 1;
        }
        result.append(next);
        return result;
    }

private:
    [[nodiscard]] std::size_t turn(std::size_t round) const { return (first_ + round) % skips_.count(); }

    halving_skips skips_;
    partition cut_;
    std::size_t pieces_;  // n
    std::size_t rounds_;
    std::size_t first_ = 0;               // the skip of round 0
    dynamic_array<std::int8_t> schedules_;  // by round of the phase, then by the distance from the owner
};

/// Half of round i / 2 of `rank`: the rounds of the broadcasts last first; it sends the blocks that it receives there.
[[nodiscard]] inline step reduce_scatter_step(round_optimal_parts const& parts, std::size_t rank, std::size_t i) {
    auto const round = i / 2;
    auto const of_broadcast = parts.rounds() - 1 - round;
    auto const skip = parts.skip(of_broadcast);
    if (i % 2 == 0) {
        auto const before = (rank + parts.size() - skip) % parts.size();
        return step::send(round, before, buffer::result(), parts.received(rank, of_broadcast));
    }
    auto const behind = (rank + skip) % parts.size();
    return step::receive_combine(round, behind, buffer::result(), parts.received(behind, of_broadcast), side::left);
}

[[nodiscard]] inline lazy_schedule generate(collective::reduce_scatter, round_optimal const&, problem const& at) {
    round_optimal_parts parts{at};
    auto const rounds = parts.rounds();
    auto step_at = [all = std::move(parts), rank = at.rank](std::size_t i) {
        return reduce_scatter_step(all, rank, i);
    };
    return without_empty_blocks(at.blocks, indexed_schedule(rounds, 2 * rounds, std::move(step_at)));
}

template <moves_whole_vector Collective>
[[nodiscard, gnu::cold]] double time_of(Collective, round_optimal const& generator, pricing::message_costs const& costs,
                                        call_parameters const& now) {
    pricing::pipeline_cost cost{.hops = pricing::log2_of(now.size) + 0.5,
                       .combines_at_once = now.fitted().circulants,
                       .contention_factor = now.mean_contention().per_byte};
    auto const segment = now.bytes / std::max<std::size_t>(generator.segments, 1);
    cost.overtake = !now.on_one_node() && segment > now.bytes_per_latency();
    cost.contention_factor *=
        std::max(cost.overtake ? now.fitted().several_ports : 1, pricing::segment_contention(now));
    return pricing::time_of_segments(generator.segments, cost, costs, now);
}

/// No part travels whole in every round; the owner of the longest part receives it p - 1 times.
[[nodiscard, gnu::cold]] inline double time_of(collective::reduce_scatter, round_optimal const&,
                                               pricing::message_costs const& costs, call_parameters const& now) {
    auto const whole = static_cast<double>(now.bytes);
    return 2 * pricing::log2_of(now.size) * costs.latency() +
           costs.transmission(now.fitted().circulants * whole, now.mean_contention()) + costs.combine(whole);
}

}  // namespace tutti::generators

namespace tutti {
using generators::round_optimal;
}  // namespace tutti
