// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <vector>

#include "exhibit.hpp"

namespace tutti::paper {

/// That the costs of figure 2 are the worst for the two strategies.
[[nodiscard]] std::vector<claim> worst_cost_claims();

/// What the paper proves of lengths.
[[nodiscard]] exhibit tree_bounds();

}  // namespace tutti::paper
