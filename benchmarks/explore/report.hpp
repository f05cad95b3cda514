// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <string>
#include <string_view>

#include <tutti/analysis/cost_model.hpp>
#include <tutti/analysis/timeline.hpp>
#include <tutti/analysis/verify.hpp>
#include <tutti/partition.hpp>

#include "algorithm.hpp"
#include "options.hpp"
#include "recording.hpp"

namespace tutti::explore {

/// All that was found out about one schedule.
struct findings {
    options const& wanted;
    family const& of;
    algorithm const& by;
    std::string_view why;  ///< it was chosen; empty if it was named
    recording const& schedules;
    cost_model costs;
    timeline line;
    verification verdict;  ///< only if it was asked for
};

/// One line that names collective, algorithm, ranks and blocks.
[[nodiscard]] std::string headline(findings const& all);

/// In the format that is asked for.
[[nodiscard]] std::string report(findings const& all);

}  // namespace tutti::explore
