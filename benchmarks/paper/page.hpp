// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "exhibit.hpp"

namespace tutti::paper {

struct verdicts {
    std::size_t agree = 0;
    std::size_t differ = 0;
};

[[nodiscard]] inline verdicts count_verdicts(std::vector<exhibit> const& exhibits) {
    verdicts result;
    for (auto const& each : exhibits) {
        for (auto const& one : each.claims) { ++(one.agrees ? result.agree : result.differ); }
    }
    return result;
}

/// All claims of all exhibits.
[[nodiscard]] sheet claims_sheet(std::vector<exhibit> const& exhibits);

/// A page of HTML that shows the exhibits with their pictures and needs no other file.
[[nodiscard]] std::string page_of(std::vector<exhibit> const& exhibits);

}  // namespace tutti::paper
