// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "segmentations.hpp"


namespace tutti::paper {

/// Ten elements cut in all 512 ways, on `size` ranks with costs α, β = 1 and γ.
struct experiment {
    static constexpr std::size_t elements = 10;

    std::size_t size;
    std::size_t alpha;
    std::size_t gamma;
    segmentations found;
    bool pipeline_equal;  ///< whether a cut into equal segments is one of the best for the pipeline

    [[nodiscard]] double ratio() const { return found.best_equal_time() / found.best_time; }
    /// The same if only those equal segments count that are ⌈m/q⌉ long for some q.
    [[nodiscard]] double ratio_of_few() const;
};

/// The experiments of section VIII in the order of p, α, γ.
[[nodiscard]] std::vector<experiment> all_experiments();

/// Those for one number of ranks.
[[nodiscard]] std::vector<experiment> experiments_on(std::size_t size);

[[nodiscard]] std::vector<std::size_t> experiment_sizes();
[[nodiscard]] std::vector<std::size_t> experiment_alphas();

/// "4-3-3"
[[nodiscard]] std::string spelled(std::vector<std::size_t> const& sizes);
/// "3-3-2-2|4-3-3"
[[nodiscard]] std::string spelled(std::vector<std::vector<std::size_t>> const& all);
/// Ten elements in segments of `segment`.
[[nodiscard]] std::vector<std::size_t> equal_cut(std::size_t segment);

}  // namespace tutti::paper
