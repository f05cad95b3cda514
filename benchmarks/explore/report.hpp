// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <string>
#include <string_view>

#include "algorithm.hpp"
#include "exploration.hpp"
#include "options.hpp"

namespace tutti::explore {

/// All that is to be told.
struct findings {
    options const& wanted;
    family const& of;
    algorithm const& by;
    std::string_view why;  ///< it was chosen; empty if it was named
    exploration const& found;
};

/// One line that names collective, algorithm, ranks and blocks.
[[nodiscard]] std::string headline(findings const& all);

/// In the format that is asked for.
[[nodiscard]] std::string report(findings const& all);

}  // namespace tutti::explore
