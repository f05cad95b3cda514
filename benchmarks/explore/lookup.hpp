// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "algorithm.hpp"
#include "options.hpp"

namespace tutti::explore {

/// Whether `named` is its name or its composition.
[[nodiscard]] bool goes_by(algorithm const& one, std::string const& named);

/// The collective that is asked for; without one, the first that has the algorithm. Throws `refusal`.
[[nodiscard]] family& find_family(std::vector<family>& all, options const& wanted);

/// Throws `refusal` if a collective or an algorithm is named that does not exist.
void refuse_unknown_names(std::vector<family>& all, options const& wanted);

/// The algorithm that is asked for, by its name or by its composition; tutti's choice for `automatic`.
/// Throws `refusal`.
[[nodiscard]] choice find_algorithm(family& of, options const& wanted);

/// Assigns what --param says. Throws `refusal`.
void assign_parameters(algorithm& to, options const& wanted);

}  // namespace tutti::explore
