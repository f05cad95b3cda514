// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <string>
#include <vector>

#include "algorithm.hpp"
#include "options.hpp"

namespace tutti::explore {

/// A table of all algorithms of these collectives, or those that are named, and what they require.
[[nodiscard]] std::string listing(std::vector<family> const& all, options const& wanted);

/// A table of all algorithms of these collectives, or those that are named, and what they cost for the ranks and blocks
/// that are asked for. Throws as `exploration` does; if no collective is named, those are left out that have no part
/// for each rank although --counts says how large it is.
[[nodiscard]] std::string comparison(std::vector<family>& all, options const& wanted);

}  // namespace tutti::explore
