// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/partition.hpp>

#include "algorithm.hpp"
#include "options.hpp"

namespace tutti::explore {

/// The vector that is asked for, cut as is asked or as the algorithm wants it. Throws `refusal`.
[[nodiscard]] partition cut_of(options const& wanted, family const& of, algorithm const& chosen);

}  // namespace tutti::explore
