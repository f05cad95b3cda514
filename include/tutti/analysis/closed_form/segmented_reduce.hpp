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
#include <tutti/generator/bi_greedy.hpp>
#include <tutti/generator/binary_tree.hpp>
#include <tutti/generator/pipeline.hpp>
#include <tutti/generator/round_optimal.hpp>
#include <tutti/generator/uni_greedy.hpp>

namespace tutti {

/// Bidirectional the rounds of the schedule; unidirectional with one chain (p-1)(d+c) + (q-1)(2d+c), but q(d+c) for
/// two ranks.
[[nodiscard]] inline std::optional<double> closed_form(collective::reduce, pipeline const&, std::size_t size,
                                                       std::size_t root, equal_segments const& cut,
                                                       cost_model const& costs) {
    if (size == 1 || cut.count == 0) { return 0; }
    round_length const round{cut.elements, costs};
    pipeline_chains const chains{size, root, cut.count};
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
    auto const first = static_cast<double>(binary_tree_place{root, size, root}.rounds) * round.whole();
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
    auto const rounds = static_cast<std::size_t>(std::bit_width(size - 1)) + cut.count - 1;
    return static_cast<double>(rounds) * round_length{cut.elements, costs}.whole();
}

/// No formula, but O(pq): every operation starts as soon as both its ranks have ended those before it.
/// Unidirectional; for any cut, and for costs other than those that it was planned for too.
[[nodiscard]] inline std::optional<double> closed_form(collective::reduce, uni_greedy const& planned, std::size_t size,
                                                       std::size_t root, partition const& cut,
                                                       cost_model const& costs) {
    if (costs.model != ports::unidirectional) { return std::nullopt; }
    std::vector<double> ends(size, 0.0);
    for_each_operation(planned, size, root, cut, [&](uni_greedy::operation const& each) {
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
    return static_cast<double>(round_optimal_rounds(size, segments->count)) *
           round_length{segments->elements, costs}.whole();
}

}  // namespace tutti
