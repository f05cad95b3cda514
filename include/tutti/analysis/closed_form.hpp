// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <optional>
#include <vector>

#include <tutti/analysis/cost_model.hpp>
#include <tutti/analysis/segments.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/generator/binomial.hpp>
#include <tutti/generator/butterfly.hpp>
#include <tutti/generator/linear.hpp>
#include <tutti/generator/named.hpp>
#include <tutti/generator/papers/bi_greedy.hpp>
#include <tutti/generator/papers/binary_tree.hpp>
#include <tutti/generator/papers/uni_greedy.hpp>
#include <tutti/generator/pattern/tree/schedule.hpp>
#include <tutti/generator/pipeline.hpp>
#include <tutti/generator/round_optimal.hpp>
#include <tutti/partition.hpp>

namespace tutti::analysis {

/// What it takes to move one operand and to combine it.
struct round_length {
    double transfer;
    double combine;

    /// Of one segment.
    round_length(std::size_t elements, cost_model const& costs)
        : transfer{costs.transfer(elements)}, combine{costs.combine(elements)} {}

    /// Of the whole vector in one message.
    round_length(partition const& whole, cost_model const& costs) {
        std::size_t blocks = 0;
        for (std::size_t block = 0; block < whole.blocks(); ++block) { blocks += whole.size(block) != 0 ? 1U : 0U; }
        transfer = costs.transfer(whole.elements(), blocks);
        combine = costs.combine(whole.elements(), blocks);
    }

    [[nodiscard]] double whole() const { return transfer + combine; }
};

/// Bidirectional the rounds of the schedule; unidirectional with one chain (p-1)(d+c) + (q-1)(2d+c), but q(d+c) for
/// two ranks.
[[nodiscard]] inline std::optional<double> closed_form(collective::reduce, pipeline const&, std::size_t size,
                                                       std::size_t root, equal_segments const& cut,
                                                       cost_model const& costs) {
    if (size == 1 || cut.count == 0) { return 0; }
    round_length const round{cut.elements, costs};
    generators::pipeline_chains const chains{size, root, cut.count};
    if (costs.model == ports::bidirectional || (costs.model == ports::unidirectional && size == 2)) {
        return static_cast<double>(chains.rounds) * round.whole();
    }
    if (costs.model == ports::overlapped || chains.both) { return std::nullopt; }
    return static_cast<double>(size - 1) * round.whole() +
           static_cast<double>(cut.count - 1) * (round.transfer + round.whole());
}

/// Bidirectional the rounds of the schedule, 2(N+q-2) for p = 2^N - 1 with the root at an end, but q for two ranks;
/// unidirectional for such p > 3 2(N-1)(d+c) + (q-1)(3d+2c).
[[nodiscard]] inline std::optional<double> closed_form(collective::reduce, binary_tree const&, std::size_t size,
                                                       std::size_t root, equal_segments const& cut,
                                                       cost_model const& costs) {
    if (size == 1 || cut.count == 0) { return 0; }
    if (costs.model == ports::overlapped) { return std::nullopt; }
    round_length const round{cut.elements, costs};
    auto const more = static_cast<double>(cut.count - 1);
    if (size <= 3) { return static_cast<double>((size - 1) * cut.count) * round.whole(); }
    auto const first = static_cast<double>(generators::binary_tree_position{root, size, root}.rounds) * round.whole();
    if (costs.model == ports::bidirectional) { return first + more * 2 * round.whole(); }
    bool const complete = std::has_single_bit(size + 1) && (root == 0 || root == size - 1);
    if (!complete) { return std::nullopt; }
    return first + more * (round.transfer + 2 * round.whole());
}

/// Bidirectional the rounds of the schedule: (⌈log2 p⌉ + q - 1)(d+c).
[[nodiscard]] inline std::optional<double> closed_form(collective::reduce, bi_greedy const&, std::size_t size,
                                                       std::size_t /*root*/, equal_segments const& cut,
                                                       cost_model const& costs) {
    if (size == 1 || cut.count == 0) { return 0; }
    if (costs.model != ports::bidirectional) { return std::nullopt; }
    auto const rounds = schedules::bit_width(size - 1) + cut.count - 1;
    return static_cast<double>(rounds) * round_length{cut.elements, costs}.whole();
}

/// No formula, but O(pq): every operation starts as soon as both its ranks have ended those before it.
/// Unidirectional; for any cut, and for costs other than those that it was planned for too.
[[nodiscard]] inline std::optional<double> closed_form(collective::reduce, uni_greedy const& planned, std::size_t size,
                                                       std::size_t root, partition const& cut,
                                                       cost_model const& costs) {
    if (costs.model != ports::unidirectional) { return std::nullopt; }
    std::vector<double> ends(size, 0.0);
    generators::for_each_transfer(planned, size, root, cut, [&](uni_greedy::transfer const& each) {
        round_length const round{cut.size(each.segment), costs};
        auto const arrives = std::max(ends[each.sender], ends[each.receiver]) + round.transfer;
        ends[each.sender] = arrives;
        ends[each.receiver] = arrives + round.combine;
    });
    return *std::max_element(ends.begin(), ends.end());
}

/// Bidirectional the rounds of the schedule, (⌈log2 p⌉ + q - 1)(d+c); not with empty blocks, which have rounds too.
[[nodiscard]] inline std::optional<double> closed_form(collective::reduce, round_optimal const&, std::size_t size,
                                                       std::size_t /*root*/, partition const& cut,
                                                       cost_model const& costs) {
    if (size == 1 || cut.elements() == 0) { return 0; }
    auto const segments = equal_segments_of(cut);
    if (costs.model != ports::bidirectional || !segments || segments->count != cut.blocks()) { return std::nullopt; }
    return static_cast<double>(generators::round_optimal_rounds(size, segments->count)) *
           round_length{segments->elements, costs}.whole();
}

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
template <generators::reduces_up_a_tree Generator>
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
    bool const splits_evenly = blocks && blocks->count == cut.blocks() && blocks->count % size == 0;
    if (costs.model != ports::bidirectional || !std::has_single_bit(size) || !splits_evenly) { return std::nullopt; }
    auto time = 0.0;
    for (auto part = blocks->count / 2; part >= blocks->count / size; part /= 2) {
        auto const elements = part * blocks->elements;
        time += 2 * costs.transfer(elements, part) + costs.combine(elements, part);
    }
    return time;
}

/// A reduction without combines, in time that runs backwards: of those above each takes as long both ways.
/// For equal blocks of which none is empty, since empty ones change what is reversed.
template <class Generator>
[[nodiscard]] std::optional<double> closed_form(collective::broadcast, generators::reversed<Generator> const& all,
                                                std::size_t size, std::size_t root, partition const& cut,
                                                cost_model costs) {
    auto const segments = equal_segments_of(cut);
    if (!segments || segments->count != cut.blocks()) { return std::nullopt; }
    costs.per_block_combined = costs.per_element_combined = 0;
    constexpr collective::reduce which{};
    if constexpr (requires { closed_form(which, all.generator, size, root, *segments, costs); }) {
        return closed_form(which, all.generator, size, root, *segments, costs);
    } else if constexpr (requires { closed_form(which, all.generator, size, root, cut, costs); }) {
        return closed_form(which, all.generator, size, root, cut, costs);
    } else {
        return std::nullopt;
    }
}

/// That of the reduction without combines.
[[nodiscard]] inline std::optional<double> closed_form(collective::broadcast, round_optimal const& generator,
                                                       std::size_t size, std::size_t root, partition const& cut,
                                                       cost_model const& costs) {
    return closed_form(collective::broadcast{}, reverse(generator), size, root, cut, costs);
}

/// Whether there is a function, found beside the generator,
///
///     std::optional<double> closed_form(Collective, Generator const&, std::size_t size, std::size_t root,
///                                       Cut const&, tutti::cost_model const&);
///
/// that gives the makespan of a simulation wherever it gives one at all. `Cut` is `equal_segments` for those that
/// only know equal segments, tutti::partition for the others.
template <class Collective, class Generator, class Cut>
concept has_closed_form = requires(Collective which, Generator const& generator, std::size_t number, Cut const& cut,
                                   cost_model const& costs) {
    { closed_form(which, generator, number, number, cut, costs) } -> std::same_as<std::optional<double>>;
};

}  // namespace tutti::analysis
