// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>

#include <tutti/combinator/reverse.hpp>
#include <tutti/combinator/sequence.hpp>
#include <tutti/cost/price.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/generator/binomial.hpp>
#include <tutti/generator/direct.hpp>
#include <tutti/generator/named.hpp>
#include <tutti/generator/pattern/running_prefix.hpp>
#include <tutti/problem.hpp>

namespace tutti::generators {

/// A direct exclusive scan. Then the last rank combines its operand with its prefix, and broadcasts the total.
///
/// Each prefix is the canonical tree over its operands, and so is the total, the inclusive prefix of the last rank.
/// Cost: of both, and mγ for each bit of p - 1 that is 1. Source: the scan is the direct algorithm of [bae98].
/// Counts of scan_reduce: 2 L | at most (2 L - 1) m | at most (2 L - 1) m.
template <class Broadcast = reversed<binomial>>
struct scan_and_broadcast {
    Broadcast broadcast{};
    friend bool operator==(scan_and_broadcast const&, scan_and_broadcast const&) = default;
};

template <class Broadcast>
scan_and_broadcast(Broadcast) -> scan_and_broadcast<Broadcast>;
scan_and_broadcast() -> scan_and_broadcast<>;

template <generator_for<collective::broadcast> Broadcast>
constexpr facts describe(collective::scan_reduce, std::type_identity<scan_and_broadcast<Broadcast>>) {
    auto result = facts_of<collective::broadcast, Broadcast>;
    result.name = "scan_and_broadcast";
    result.keeps_round_order = true;
    result.model = ports::bidirectional;
    return result;
}

template <class Broadcast>
[[nodiscard]] std::string name_of(collective::scan_reduce, scan_and_broadcast<Broadcast> const& both) {
    if constexpr (std::is_same_v<Broadcast, reversed<binomial>>) { return "scan_and_broadcast"; }
    return generators::name_with_parts("scan_and_broadcast", {name_of(collective::broadcast{}, both.broadcast)});
}

template <class Broadcast>
[[nodiscard]] std::size_t blocks_for(collective::scan_reduce, scan_and_broadcast<Broadcast> const& both,
                                     std::size_t size, std::size_t bytes) {
    return blocks_for(collective::broadcast{}, both.broadcast, size, bytes);
}

template <generator_for<collective::broadcast> Broadcast>
[[nodiscard]] lazy_schedule generate(collective::scan_reduce, scan_and_broadcast<Broadcast> const& both,
                                     problem const& at) {
    block_list const whole{block_range{0, at.blocks.blocks()}};
    auto const last = at.size - 1;
    auto const rounds = schedules::bit_width(last);
    running_prefix prefix{whole};
    dynamic_array<step> steps;
    for (std::size_t round = 0; round < rounds; ++round) {
        direct_round const now{at.rank, at.size, round};
        if (now.sends) { steps.push_back(step::send(round, now.peer, buffer::result(), whole)); }
        if (now.is_above) {
            prefix.receive(steps, round, now.peer, now.updates || at.rank == last);
        } else if (now.updates) {
            steps.push_back(step::receive_combine(round, now.peer, buffer::result(), whole, side::right));
        }
    }
    dynamic_array<lazy_schedule> stages;
    stages.push_back(without_empty_blocks(at.blocks, stored_schedule(rounds, std::move(steps))));
    stages.push_back(
        schedules::lazy(generate(collective::broadcast{}, both.broadcast, problem{at.rank, at.size, last, at.blocks})));
    return generators::merged(stages, {0, rounds});
}

template <class Broadcast>
[[nodiscard]] double time_of(collective::scan_reduce, scan_and_broadcast<Broadcast> const& both,
                             pricing::message_costs const& costs, call_parameters const& now) {
    return time_of(collective::inclusive_scan{}, direct{}, costs, now) +
           time_of(collective::broadcast{}, both.broadcast, pricing::message_costs::transfer_only(now), now);
}

}  // namespace tutti::generators

namespace tutti {
using generators::scan_and_broadcast;
}  // namespace tutti
