// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <type_traits>

#include <tutti/analysis/cost_model.hpp>
#include <tutti/analysis/segments.hpp>
#include <tutti/generator/binomial.hpp>
#include <tutti/generator/papers/bi_greedy.hpp>
#include <tutti/generator/papers/binary_tree.hpp>
#include <tutti/generator/pipeline.hpp>

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

/// The times of reductions in lock-step rounds as functions of the segment length, for one port or for one in each
/// direction as `costs` says. For more than three ranks; none for overlapped ports.
/// Source: Lowery and Langou, tables I (unidirectional) and III (bidirectional).
using formula_if_known = std::optional<lock_step_formula>;

[[nodiscard]] inline formula_if_known table_formula(binomial const&, std::size_t size, std::size_t elements,
                                                    cost_model const& costs) {
    if (costs.model == ports::overlapped) { return std::nullopt; }
    auto const rounds = static_cast<double>(std::bit_width(size - 1));
    return lock_step(rounds, rounds, elements, costs);
}

[[nodiscard]] inline formula_if_known table_formula(pipeline const&, std::size_t size, std::size_t elements,
                                                    cost_model const& costs) {
    if (costs.model == ports::overlapped) { return std::nullopt; }
    return lock_step(static_cast<double>(size - 1), costs.model == ports::unidirectional ? 2 : 1, elements, costs);
}

[[nodiscard]] inline formula_if_known table_formula(binary_tree const&, std::size_t size, std::size_t elements,
                                                    cost_model const& costs) {
    if (costs.model == ports::overlapped) { return std::nullopt; }
    auto const levels = static_cast<double>(std::bit_width(size));
    return lock_step(2 * (levels - 1), costs.model == ports::unidirectional ? 4 : 2, elements, costs);
}

/// ⌈log2 p⌉ + q - 1 rounds for q segments; bidirectional only.
[[nodiscard]] inline formula_if_known table_formula(bi_greedy const&, std::size_t size, std::size_t elements,
                                                    cost_model const& costs) {
    if (costs.model != ports::bidirectional) { return std::nullopt; }
    return lock_step(static_cast<double>(std::bit_width(size - 1)), 1, elements, costs);
}

/// A butterfly, bidirectional: 2 ⌈log2 p⌉ α + (p-1)/p m (2β + γ); for sizes that are no power of two a lower bound.
/// Source: Lowery and Langou, table III.
[[nodiscard]] inline double butterfly_time(std::size_t size, double elements, cost_model const& costs) {
    auto const part = static_cast<double>(size - 1) / static_cast<double>(size) * elements;
    return 2 * static_cast<double>(std::bit_width(size - 1)) * costs.transfer(0) +
           part * (2 * costs.per_element_sent + costs.per_element_combined);
}

/// A standard reduction in lock step, in segments of the best size, which may be a fraction.
struct contender {
    std::string_view algorithm;
    lock_step_formula formula;
    double segment;  ///< formula.best_segment()
    double time;     ///< formula.best_time()
};

/// Binomial, pipeline and binary tree in lock step, unidirectional or bidirectional as `costs` says.
/// Requires more than three ranks for the published formulas; throws std::invalid_argument if ports are overlapped.
/// Cost: O(1). Source: Lowery and Langou, tables I and III.
[[nodiscard]] inline std::array<contender, 3> standard_reductions(std::size_t size, std::size_t elements,
                                                                  cost_model const& costs) {
    if (costs.model == ports::overlapped) {
        throw std::invalid_argument{"tutti: there are no formulas for overlapped ports; simulate instead"};
    }
    auto const contend = [&](auto const& generator) {
        auto const formula = *table_formula(generator, size, elements, costs);
        return contender{generators::facts_of<collective::reduce, std::remove_cvref_t<decltype(generator)>>.name,
                         formula, formula.best_segment(), formula.best_time()};
    };
    return {contend(binomial{}), contend(pipeline{}), contend(binary_tree{})};
}

/// The one that takes least in its best segments, of equals the first. Errors and cost: the same.
/// Source: Lowery and Langou, figure 1.
[[nodiscard]] inline contender fastest_standard_reduction(std::size_t size, std::size_t elements,
                                                          cost_model const& costs) {
    auto const all = standard_reductions(size, elements, costs);
    return *std::min_element(all.begin(), all.end(), [](auto const& a, auto const& b) { return a.time < b.time; });
}

/// A fraction in lowest terms; x/0 is infinite.
struct fraction {
    std::size_t numerator = 0;
    std::size_t denominator = 1;

    [[nodiscard]] double value() const {
        return denominator == 0 ? std::numeric_limits<double>::infinity()
                                : static_cast<double>(numerator) / static_cast<double>(denominator);
    }
    friend bool operator==(fraction const&, fraction const&) = default;
};

/// Below which β/γ a butterfly is faster than a reduction in ⌈log2 p⌉ + q - 1 rounds for some length of the vector:
/// ((L-1)p + L + 1) / (2(p - L - 1)) with L = ⌈log2 p⌉, and for every β/γ if p is 2 or 3.
/// Requires at least two ranks, and α > 0.
/// With u² = m(β+γ)/α and k = (p-1)/p (1 + β/(β+γ)) - 1 the butterfly gains α (-(L+1) + 2u√(L-1) - k u²), at most
/// α (-(L+1) + (L-1)/k). Where that is 0 the best number of segments is L+1, so that whole segments change nothing.
/// Source: Lowery and Langou, table III and figure 7.
[[nodiscard]] constexpr fraction butterfly_threshold(std::size_t size) {
    auto const rounds = static_cast<std::size_t>(std::bit_width(size - 1));
    auto const numerator = (rounds - 1) * size + rounds + 1;
    auto const denominator = 2 * (size - rounds - 1);
    auto const common = std::gcd(numerator, denominator);
    return {numerator / common, denominator / common};
}

/// Lower bounds of what a reduction spends on latency, bandwidth and combining, each as a multiple of its cost.
/// Each term is the least for another segment size, so that no schedule need attain all of them.
struct cost_terms {
    double alpha;  ///< messages one after another
    double beta;   ///< elements sent one after another
    double gamma;  ///< elements combined one after another

    /// Bounds the time if each term is one for itself.
    [[nodiscard]] double greatest(cost_model const& costs) const {
        return std::max({alpha * costs.per_message, beta * costs.per_element_sent, gamma * costs.per_element_combined});
    }
    /// Bounds the time if all of it is spent in rounds, as by a named algorithm in lock step.
    [[nodiscard]] double sum(cost_model const& costs) const {
        return alpha * costs.per_message + beta * costs.per_element_sent + gamma * costs.per_element_combined;
    }
    friend bool operator==(cost_terms const&, cost_terms const&) = default;
};

/// The terms of any reduction of m elements on one port, for at least two ranks: ⌈log2 p⌉ α, (p-1)/⌊p/2⌋ m β and
/// (p-1)/p m γ, each for itself. A rank takes part in one transfer at a time, and every element takes p-1: so 2 m β
/// for odd p, and less for even p.
/// Source: Lowery and Langou, table II, where 2 m β stands for every p.
[[nodiscard]] inline cost_terms table_two(std::size_t size, double elements) {
    auto const others = static_cast<double>(size - 1);
    return {static_cast<double>(std::bit_width(size - 1)), others / static_cast<double>(size / 2) * elements,
            others / static_cast<double>(size) * elements};
}

/// The terms of any reduction in which every rank takes up the segments in order. 2 m β for even p is not proved, but
/// holds in every case that was searched.
[[nodiscard]] inline cost_terms table_two_in_order(std::size_t size, double elements) {
    auto terms = table_two(size, elements);
    if (size > 2) { terms.beta = 2 * elements; }
    return terms;
}

/// The terms of one algorithm in lock step, unidirectional: latency for the vector in one segment, bandwidth and
/// combining for segments of one element. Requires more than three ranks.
[[nodiscard]] inline cost_terms table_two(binomial const&, std::size_t size, double elements) {
    auto const rounds = static_cast<double>(std::bit_width(size - 1));
    return {rounds, rounds * elements, rounds * elements};
}

[[nodiscard]] inline cost_terms table_two(pipeline const&, std::size_t size, double elements) {
    auto const ranks = static_cast<double>(size);
    return {ranks - 1, ranks + 2 * elements - 3, ranks + 2 * elements - 3};
}

[[nodiscard]] inline cost_terms table_two(binary_tree const&, std::size_t size, double elements) {
    auto const levels = static_cast<double>(std::bit_width(size));
    return {2 * (levels - 1), 2 * (levels + 2 * elements - 3), 2 * (levels + 2 * elements - 3)};
}

}  // namespace tutti::paper
