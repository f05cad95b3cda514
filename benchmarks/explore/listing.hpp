// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <string>
#include <vector>

#include "algorithm.hpp"
#include "options.hpp"

namespace tutti::explore {

/// A table of all algorithms of these collectives, or those that are named, and what they require.
[[nodiscard]] std::string listing(std::vector<family> const& all, options const& wanted);

}  // namespace tutti::explore
