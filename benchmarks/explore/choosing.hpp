// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <tutti/selection/call_parameters.hpp>

#include "algorithm.hpp"
#include "options.hpp"

namespace tutti::explore {

/// What tutti chooses by, if every rank is on a node of its own, or all are threads. Throws if there is no such file,
/// or it is wrong.
[[nodiscard]] call_parameters call_parameters_of(options const& wanted, std::string_view collective, std::size_t bytes);

/// All that tutti chooses from, with what it is expected to take. Throws `refusal`.
[[nodiscard]] std::string choosing(std::vector<family>& all, options const& wanted);

/// Throws `refusal` if an option is given that means nothing unless tutti chooses.
void refuse_what_is_for_choosing(options const& wanted);

}  // namespace tutti::explore
