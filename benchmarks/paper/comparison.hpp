// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>

#include <tutti/analysis/predict.hpp>
#include <tutti/analysis/table_formulas.hpp>

namespace tutti::paper {

/// Uni-greedy in its best equal segments beside the standard algorithms in theirs, at α = 10, β = 1, γ = 0.
struct comparison {
    std::size_t size;
    std::size_t elements;
    segment_choice greedy;
    double binomial_time;
    double pipeline_time;  ///< T_opt
    double binary_time;    ///< T_opt

    comparison(std::size_t p, std::size_t m)
        : size{p},
          elements{m},
          greedy{optimal_segments(uni_greedy{}, p, m, costs())},
          binomial_time{table_formula(binomial{}, p, m, costs())->best_time()},
          pipeline_time{table_formula(pipeline{}, p, m, costs())->best_time()},
          binary_time{table_formula(binary_tree{}, p, m, costs())->best_time()} {}

    [[nodiscard]] double ratio() const { return std::min({binomial_time, pipeline_time, binary_time}) / greedy.time; }

    [[nodiscard]] static constexpr cost_model costs() { return cost_model::linear(10, 1, 0, ports::unidirectional); }
};

}  // namespace tutti::paper
