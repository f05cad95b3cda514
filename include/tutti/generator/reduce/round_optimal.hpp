// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <optional>
#include <type_traits>

#include <tutti/generator.hpp>
#include <tutti/generator/block_schedule.hpp>
#include <tutti/generator/occupied.hpp>
#include <tutti/generator/skips.hpp>

namespace tutti {

/// In each round a block to the rank s_k away and one from the rank s_k away on the other side, the skips s_k in turn.
///
/// A broadcast on a circulant graph, and its reversal as a reduction. With q = ⌈log2 p⌉ the root sends block j of a
/// broadcast from round j on, and has block j of a reduction after round q-1+j.
/// Result: on the root the combination of all x_r, any size, any root; commutative operators only, since blocks have
/// different trees. Every other rank sends each block once, and no rank has more than 2q neighbours.
/// Rounds: n-1+q for n blocks, the least if a rank sends one block and receives one at a time; as many combines of a
/// block on a rank at most.
/// Cost in lock step: (n-1+q)(α + (β+γ)m/n); best n about √((q-1)m(β+γ)/α). To generate: O(log p), and O(1) a step.
/// Source: Träff, Optimal Broadcast Schedules in Logarithmic Time.
struct round_optimal {
    std::size_t segments = 0;  ///< 0: blocks of 128 KiB
    friend bool operator==(round_optimal const&, round_optimal const&) = default;
};

constexpr facts describe(collective::reduce, std::type_identity<round_optimal>) {
    return {.name = "round_optimal", .requires_commutative = true, .in_step = true};
}
constexpr facts describe(collective::broadcast, std::type_identity<round_optimal>) {
    return {.name = "round_optimal", .in_step = true};
}

/// n-1+q, if there is anything to send.
[[nodiscard]] constexpr std::size_t round_optimal_rounds(std::size_t size, std::size_t blocks) {
    return size == 1 || blocks == 0 ? 0 : blocks - 1 + static_cast<std::size_t>(std::bit_width(size - 1));
}

/// Whether the root of a broadcast receives what ranks would send it at distance s_k: every block but the last, once,
/// each after it was sent, and none in the first round.
enum class root_port { idle, listens };

/// What one rank sends and receives in each round of a round-optimal broadcast.
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

/// Half of round i / 2: what is sent if i is even, as that waits for nothing, then what is received. Without blocks if
/// there is no message.
[[nodiscard]] inline step broadcast_step(round_optimal_broadcast const& part, std::size_t i) {
    auto const round = i / 2;
    bool const sends = i % 2 == 0;
    auto const each = sends ? part.sent(round) : part.received(round);
    auto const blocks = each.block ? block_list{*each.block} : block_list{};
    return sends ? step::send(round, each.peer, buffer::result(), blocks)
                 : step::receive(round, each.peer, buffer::result(), blocks);
}

/// The same of the reduction: the rounds last first, and the blocks too, as reductions begin with block 0.
[[nodiscard]] inline step reduce_step(round_optimal_broadcast const& part, std::size_t i) {
    auto const round = i / 2;
    auto const reversed = part.rounds() - 1 - round;
    bool const sends = i % 2 == 0;
    auto const each = sends ? part.received(reversed) : part.sent(reversed);
    auto const blocks = each.block ? block_list{part.blocks() - 1 - *each.block} : block_list{};
    return sends ? step::send(round, each.peer, buffer::result(), blocks)
                 : step::receive_combine(round, each.peer, buffer::result(), blocks, side::right);
}

[[nodiscard]] inline lazy_schedule generate(collective::broadcast, round_optimal const&, problem const& at) {
    round_optimal_broadcast const part{at};
    return occupied(at.blocks, indexed_schedule(part.rounds(), 2 * part.rounds(),
                                                [part](std::size_t i) { return broadcast_step(part, i); }));
}

[[nodiscard]] inline lazy_schedule generate(collective::reduce, round_optimal const&, problem const& at) {
    round_optimal_broadcast const part{at};
    return occupied(at.blocks, indexed_schedule(part.rounds(), 2 * part.rounds(),
                                                [part](std::size_t i) { return reduce_step(part, i); }));
}

}  // namespace tutti
