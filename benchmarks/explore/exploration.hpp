// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <string>

#include <tutti/analysis/cost_model.hpp>
#include <tutti/analysis/timeline.hpp>
#include <tutti/analysis/verify.hpp>
#include <tutti/partition.hpp>

#include "algorithm.hpp"
#include "options.hpp"
#include "recording.hpp"

namespace tutti::explore {

/// The cost model in words.
[[nodiscard]] std::string description(options const& wanted, cost_model const& costs);

/// Throws `refusal` if there cannot be such ranks, or such a root among them.
void check_ranks(options const& wanted);

/// The schedules of one algorithm for what is asked for, and what was found out about them.
///
/// Adopts parameters and costs into the algorithm. Throws `refusal` for what it cannot do, `broken_schedule` if the
/// schedules do not verify and that was asked for.
struct exploration {
    exploration(options const& wanted, family const& of, algorithm& by);
    exploration(exploration const&) = delete;
    exploration& operator=(exploration const&) = delete;
    ~exploration() = default;

    partition const cut;
    cost_model const costs;
    recording const schedules;  ///< refers to `cut`
    verification verdict;       ///< only if it was asked for
    timeline line;
};

}  // namespace tutti::explore
