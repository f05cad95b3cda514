// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>

#include <tutti/cost/price.hpp>
#include <tutti/generator.hpp>
#include <tutti/problem.hpp>

namespace tutti::generators {

/// `Generator` run backwards.
template <class Generator>
struct reversed {
    Generator generator;
    friend bool operator==(reversed const&, reversed const&) = default;
};

/// A broadcast from a reduce, an all_gather from a reduce_scatter, a scatter from a gather, and back.
///
/// The steps in reverse order, with send and receive exchanged, nothing combined. The broadcast also renames
/// block b to q-1-b, so that it starts with block 0, where the reduction starts with block 0 and ends with
/// block q-1.
/// Requires: nothing of operators, as none is applied. Result: as for the collective, for the sizes and roots
/// of `generator`; rounds, messages and volume are those of `generator`.
/// Cost: as `generator` with γ = 0.
template <class Generator>
[[nodiscard]] reversed<Generator> reverse(Generator generator) {
    return {std::move(generator)};
}

template <class Collective, generator_for<collective::opposite_t<Collective>> Generator>
constexpr facts describe(Collective, std::type_identity<reversed<Generator>>) {
    auto result = facts_of<collective::opposite_t<Collective>, Generator>;
    result.name = "reverse";
    result.requires_commutative = false;
    result.requires_identity = false;
    return result;
}

template <class Collective, class Generator>
[[nodiscard, gnu::cold]] std::string name_of(Collective, reversed<Generator> const& all) {
    return generators::name_with_parts("reverse", {name_of(collective::opposite_t<Collective>{}, all.generator)});
}

template <class Collective, class Generator>
[[nodiscard, gnu::cold]] std::size_t blocks_for(Collective, reversed<Generator> const& all, std::size_t size,
                                                std::size_t bytes) {
    return blocks_for(collective::opposite_t<Collective>{}, all.generator, size, bytes);
}

template <class Generator>
[[nodiscard]] constexpr std::size_t transfers_at_once(reversed<Generator> const& all) {
    return transfers_at_once(all.generator);
}

/// The steps that undo the movement of data in `forwards`. There data comes from the input, here it must go to
/// `result`: a step that reads the input becomes one that writes `result`.
[[nodiscard]] inline step opposite_step(step forwards) {
    auto const writable = [](buffer which) { return which == buffer::input() ? buffer::result() : which; };
    switch (forwards.what) {
    case action::send: forwards.what = action::receive; break;
    case action::receive:
    case action::receive_combine: forwards.what = action::send; break;
    case action::combine:
    case action::copy:
        forwards.what = action::copy;
        std::swap(forwards.source, forwards.target);
        break;
    }
    forwards.operand = side::right;
    forwards.target = writable(forwards.target);
    return forwards;
}

/// The schedule that undoes a whole one. `last_block_first` renames block b to q-1-b.
[[nodiscard, gnu::cold]] inline lazy_schedule opposite_schedule(lazy_schedule const& forwards, partition const& cut,
                                                                bool last_block_first) {
    auto const blocks = cut.blocks();
    return without_empty_blocks(
        cut, schedules::each_changed(schedules::backwards(forwards), [=, rounds = forwards.rounds()](step each) {
            each = opposite_step(std::move(each));
            each.round = rounds - 1 - each.round;
            if (last_block_first) {
                auto const forwards_blocks = std::exchange(each.blocks, {});
                for (auto const& range : forwards_blocks) {
                    each.blocks.append({blocks - range.last, blocks - range.first});
                }
            }
            return each;
        }));
}

template <class Collective, generator_for<collective::opposite_t<Collective>> Generator>
[[nodiscard, gnu::cold]] lazy_schedule generate(Collective, reversed<Generator> const& all, problem const& at) {
    constexpr bool block_0_first = std::same_as<Collective, collective::broadcast>;
    auto const blocks = at.blocks.blocks();
    // a renamed block may be empty where the original was not: blocks that are never empty send everything
    auto const full = partition::equal(std::max(at.blocks.elements(), blocks), blocks);
    auto const forwards = schedules::lazy(generate(collective::opposite_t<Collective>{}, all.generator,
                                        problem{at.rank, at.size, at.root, block_0_first ? full : at.blocks}));
    return generators::opposite_schedule(forwards, at.blocks, block_0_first);
}

/// A reversed algorithm takes as long as the algorithm would if combining took no time.
template <class Collective, pricing::has_formula<collective::opposite_t<Collective>> Generator>
[[nodiscard, gnu::cold]] double time_of(Collective, reversed<Generator> const& generator,
                                        pricing::message_costs const& costs, call_parameters const& now) {
    return time_of(collective::opposite_t<Collective>{}, generator.generator, costs, now);
}

}  // namespace tutti::generators

namespace tutti {
using generators::reverse;
}  // namespace tutti
