// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <optional>
#include <vector>

#include <tutti/analysis/closed_form/round_length.hpp>
#include <tutti/analysis/cost_model.hpp>
#include <tutti/analysis/equal_segments.hpp>
#include <tutti/generator/binomial.hpp>
#include <tutti/generator/butterfly.hpp>
#include <tutti/generator/linear.hpp>
#include <tutti/generator/pattern/tree/schedule.hpp>

namespace tutti {

/// (p-1)(d+c); overlapped the shorter of both counts once: d + (p-2) max(d,c) + c.
[[nodiscard]] inline std::optional<double> closed_form(collective::reduce, linear const&, std::size_t size,
                                                       std::size_t /*root*/, partition const& cut,
                                                       cost_model const& costs) {
    if (size == 1 || cut.elements() == 0) { return 0; }
    round_length const round{cut, costs};
    auto const others = static_cast<double>(size - 2);
    if (costs.model != ports::overlapped) { return (others + 1) * round.whole(); }
    return round.transfer + others * std::max(round.transfer, round.combine) + round.combine;
}

/// ⌈log2 p⌉ (d+c), overlapped if p is a power of two.
[[nodiscard]] inline std::optional<double> closed_form(collective::reduce, binomial const&, std::size_t size,
                                                       std::size_t /*root*/, partition const& cut,
                                                       cost_model const& costs) {
    if (size == 1 || cut.elements() == 0) { return 0; }
    if (costs.model == ports::overlapped && !std::has_single_bit(size)) { return std::nullopt; }
    return static_cast<double>(std::bit_width(size - 1)) * round_length{cut, costs}.whole();
}

/// A rank's children follow one another, the one that was added last first; overlapped it receives the next one while
/// it combines. O(p) for any costs, not only for those that the tree was made for.
template <reduces_up_a_tree Generator>
[[nodiscard]] std::optional<double> closed_form(collective::reduce, Generator const& generator, std::size_t size,
                                                std::size_t /*root*/, partition const& cut, cost_model const& costs) {
    if (size == 1 || cut.elements() == 0) { return 0; }
    round_length const round{cut, costs};
    auto const tree = tree_of(generator, size);
    std::vector<double> received(size, 0.0);
    std::vector<double> combined(size, 0.0);
    for (auto child = size - 1; child != 0; --child) {
        auto const parent = tree.receiver[child];
        auto const free = costs.model == ports::overlapped ? received[parent] : combined[parent];
        received[parent] = std::max(free, combined[child]) + round.transfer;
        combined[parent] = std::max(received[parent], combined[parent]) + round.combine;
    }
    return combined[0];
}

/// Bidirectional, p a power of two and a multiple of p equal blocks, none of them empty: halves, quarters, ... are
/// exchanged and combined, and collected again.
[[nodiscard]] inline std::optional<double> closed_form(collective::reduce, butterfly const&, std::size_t size,
                                                       std::size_t /*root*/, partition const& cut,
                                                       cost_model const& costs) {
    if (size == 1 || cut.elements() == 0) { return 0; }
    auto const blocks = equal_segments_of(cut);
    bool const is_power_of_two = blocks && blocks->count == cut.blocks() && blocks->count % size == 0;
    if (costs.model != ports::bidirectional || !std::has_single_bit(size) || !is_power_of_two) { return std::nullopt; }
    auto time = 0.0;
    for (auto part = blocks->count / 2; part >= blocks->count / size; part /= 2) {
        auto const elements = part * blocks->elements;
        time += 2 * costs.transfer(elements, part) + costs.combine(elements, part);
    }
    return time;
}

}  // namespace tutti
