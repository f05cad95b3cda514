// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.

#include "experiments.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <tutti/analysis/cost_model.hpp>

#include "exhibit.hpp"
#include "parallel.hpp"
#include "pipeline_search.hpp"

namespace tutti::paper {

double experiment::ratio_of_few() const {
    auto best = found.equal_times.back();
    for (std::size_t count = 1; count <= elements; ++count) {
        best = std::min(best, found.equal_times[(elements - 1) / count]);
    }
    return best / found.best_time;
}

std::vector<std::size_t> experiment_alphas() {
    std::vector<std::size_t> result;
    for (std::size_t alpha = 0; alpha < 10; ++alpha) { result.push_back(alpha); }
    for (std::size_t alpha = 10; alpha < 100; alpha += 10) { result.push_back(alpha); }
    for (std::size_t alpha = 100; alpha <= 1000; alpha += 100) { result.push_back(alpha); }
    return result;
}

std::vector<std::size_t> experiment_sizes() {
    std::vector<std::size_t> result;
    for (std::size_t n = 2; n <= 10; ++n) { result.push_back(std::size_t{1} << n); }
    for (std::size_t n = 1; n <= 8; ++n) { result.push_back(std::size_t{3} << n); }
    std::sort(result.begin(), result.end());
    return result;
}

std::vector<experiment> experiments_on(std::size_t size) {
    std::vector<experiment> result;
    for (auto const alpha : experiment_alphas()) {
        for (auto const gamma : numbers{0, 1}) {
            auto const costs =
                cost_model::linear(static_cast<double>(alpha), 1, static_cast<double>(gamma), ports::unidirectional);
            result.push_back({size, alpha, gamma, search_segmentations(size, experiment::elements, costs),
                              pipeline_search{size, experiment::elements, costs}.equal_is_best()});
        }
    }
    return result;
}

std::vector<experiment> all_experiments() {
    auto const sizes = experiment_sizes();
    std::vector<std::vector<experiment>> parts(sizes.size());
    in_parallel(sizes.size(), [&](std::size_t i) { parts[i] = experiments_on(sizes[i]); });

    std::vector<experiment> result;
    for (auto& part : parts) {
        for (auto& each : part) { result.push_back(std::move(each)); }
    }
    return result;
}

std::string spelled(std::vector<std::size_t> const& sizes) {
    std::string result;
    for (auto const each : sizes) { result += (result.empty() ? "" : "-") + std::to_string(each); }
    return result;
}

std::string spelled(std::vector<std::vector<std::size_t>> const& all) {
    std::string result;
    for (auto const& each : all) { result += (result.empty() ? "" : "|") + spelled(each); }
    return result;
}

std::vector<std::size_t> equal_cut(std::size_t segment) {
    std::vector<std::size_t> result;
    for (auto left = experiment::elements; left != 0; left -= result.back()) {
        result.push_back(std::min(segment, left));
    }
    return result;
}

}  // namespace tutti::paper
