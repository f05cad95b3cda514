// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <string>
#include <vector>

#include "algorithm.hpp"

namespace tutti::explore {

/// A table of all algorithms of these collectives, or of the one that is named, and what they require.
[[nodiscard]] std::string listing(std::vector<family> const& all, std::string const& collective);

}  // namespace tutti::explore
