// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <optional>

#include <tutti/analysis/cost_model.hpp>
#include <tutti/analysis/segments.hpp>
#include <tutti/generator/bi_greedy.hpp>
#include <tutti/generator/binary_tree.hpp>
#include <tutti/generator/binomial.hpp>
#include <tutti/generator/pipeline.hpp>
#include <tutti/generator/round_optimal.hpp>
#include <tutti/generator/two_tree.hpp>

namespace tutti::paper {

/// The time of a reduction in lock step, as a function of the segment size s, which may be a fraction:
/// T(s) = (first + next (m/s - 1)) (α + (β+γ) s), for `first` rounds until the root has the first segment and
/// `next` more for every other one.
///
/// Schedules need not keep step: left-shifted they are as long or shorter. Source: Lowery and Langou, tables I, III.
struct lock_step_formula {
    double first;
    double next;
    double elements;      ///< m, at least 1
    double latency;       ///< α
    double per_element;   ///< β+γ

    [[nodiscard]] double time(double segment) const {
        return (first + next * (elements / segment - 1)) * (latency + per_element * segment);
    }

    /// s_opt, kept between 1 and m; m where longer segments are always better.
    [[nodiscard]] double best_segment() const {
        auto const falls = (first - next) * per_element;
        if (falls <= 0) { return elements; }
        return std::clamp(std::sqrt(next * elements * latency / falls), 1.0, elements);
    }

    /// T_opt: (√((first-next) α) + √(next m (β+γ)))² where s_opt need not be kept between 1 and m.
    [[nodiscard]] double best_time() const { return time(best_segment()); }

    /// That of so many segments that all count in full.
    [[nodiscard]] double in_segments(std::size_t segment, std::size_t segments) const {
        return (first + next * static_cast<double>(segments - 1)) *
               (latency + per_element * static_cast<double>(segment));
    }

    /// The best of all whole segment sizes s, with ⌈m/s⌉ segments; of equals the longest. Cost: O(√m).
    [[nodiscard]] analysis::segment_choice best_integer_segment() const {
        return analysis::best_segments(static_cast<std::size_t>(elements),
                             [&](std::size_t segment, std::size_t segments) { return in_segments(segment, segments); });
    }
};

/// What a round costs in lock step: α, and β+γ per element.
[[nodiscard]] inline lock_step_formula lock_step(double first, double next, std::size_t elements,
                                                 cost_model const& costs) {
    auto const latency = costs.transfer(0) + costs.combine(0);
    return {first, next, static_cast<double>(std::max<std::size_t>(elements, 1)), latency,
            costs.per_element_sent + costs.per_element_combined};
}

/// The time of a reduction in lock-step rounds as a function of the segment length, for one port or for one in each
/// direction as `costs` says. For more than three ranks; none for overlapped ports.
/// Source: Lowery and Langou, tables I (unidirectional) and III (bidirectional).
[[nodiscard]] inline std::optional<lock_step_formula> table_formula(binomial const&, std::size_t size,
                                                                    std::size_t elements, cost_model const& costs) {
    if (costs.model == ports::overlapped) { return std::nullopt; }
    auto const rounds = static_cast<double>(std::bit_width(size - 1));
    return lock_step(rounds, rounds, elements, costs);
}

[[nodiscard]] inline std::optional<lock_step_formula> table_formula(pipeline const&, std::size_t size,
                                                                    std::size_t elements, cost_model const& costs) {
    if (costs.model == ports::overlapped) { return std::nullopt; }
    return lock_step(static_cast<double>(size - 1), costs.model == ports::unidirectional ? 2 : 1, elements, costs);
}

[[nodiscard]] inline std::optional<lock_step_formula> table_formula(binary_tree const&, std::size_t size,
                                                                    std::size_t elements, cost_model const& costs) {
    if (costs.model == ports::overlapped) { return std::nullopt; }
    auto const levels = static_cast<double>(std::bit_width(size));
    return lock_step(2 * (levels - 1), costs.model == ports::unidirectional ? 4 : 2, elements, costs);
}

/// ⌈log2 p⌉ + q - 1 rounds for q segments; bidirectional only.
[[nodiscard]] inline std::optional<lock_step_formula> table_formula(bi_greedy const&, std::size_t size,
                                                                    std::size_t elements, cost_model const& costs) {
    if (costs.model != ports::bidirectional) { return std::nullopt; }
    return lock_step(static_cast<double>(std::bit_width(size - 1)), 1, elements, costs);
}

/// (⌈log2 p⌉ + q - 1) rounds, as of bi_greedy; a broadcast is the same with γ = 0. Source: Träff.
[[nodiscard]] inline std::optional<lock_step_formula> table_formula(round_optimal const&, std::size_t size,
                                                                    std::size_t elements, cost_model const& costs) {
    return table_formula(bi_greedy{}, size, elements, costs);
}

/// q + 2 ⌈log2 p⌉ rounds at most, with the root at an end. Source: Sanders, Speck and Träff.
[[nodiscard]] inline std::optional<lock_step_formula> table_formula(two_tree const&, std::size_t size,
                                                                    std::size_t elements, cost_model const& costs) {
    if (costs.model != ports::bidirectional) { return std::nullopt; }
    return lock_step(2 * static_cast<double>(std::bit_width(size - 1)) + 1, 1, elements, costs);
}

/// A butterfly, bidirectional: 2 ⌈log2 p⌉ α + (p-1)/p m (2β + γ); for sizes that are no power of two a lower bound.
/// Source: Lowery and Langou, table III.
[[nodiscard]] inline double butterfly_time(std::size_t size, double elements, cost_model const& costs) {
    auto const part = static_cast<double>(size - 1) / static_cast<double>(size) * elements;
    return 2 * static_cast<double>(std::bit_width(size - 1)) * costs.transfer(0) +
           part * (2 * costs.per_element_sent + costs.per_element_combined);
}

}  // namespace tutti::paper
