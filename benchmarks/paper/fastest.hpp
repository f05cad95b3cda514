// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <stdexcept>
#include <string_view>
#include <type_traits>

#include <tutti/analysis/cost_model.hpp>
#include <tutti/analysis/table_formulas.hpp>

namespace tutti::paper {

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
        return contender{facts_of<collective::reduce, std::remove_cvref_t<decltype(generator)>>.name,
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

}  // namespace tutti::paper
