// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>

#include <tutti/analysis/cost_model.hpp>
#include <tutti/generator/binary_tree.hpp>
#include <tutti/generator/binomial.hpp>
#include <tutti/generator/pipeline.hpp>

namespace tutti::paper {

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
