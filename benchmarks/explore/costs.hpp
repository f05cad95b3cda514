// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <string>

#include <tutti/analysis/cost_model.hpp>
#include <tutti/partition.hpp>

#include "algorithm.hpp"
#include "options.hpp"

namespace tutti::explore {

/// The cost model that is asked for, in the ports that are, or those in which the algorithm counts. Throws `refusal`.
[[nodiscard]] cost_model costs_of(options const& wanted, facts const& stated);

/// Gives the parameters of an algorithm that are costs or arrivals the values of this exploration, unless --param
/// says otherwise. Throws `refusal`.
void adopt_costs(algorithm& by, options const& wanted, cost_model const& costs, partition const& cut);

/// The model in words.
[[nodiscard]] std::string description(options const& wanted, cost_model const& costs);

}  // namespace tutti::explore
