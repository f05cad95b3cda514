// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "../support/sheet.hpp"
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

[[nodiscard]] inline std::string text_of(exhibit const& one) {
    constexpr std::size_t rows_shown = 10;
    auto result = "## " + one.title + "\n\n" + one.text + "\n\n";
    for (auto const& each : one.pictures) { result += '!' + tables::link_to(each.file, each.caption) + "\n\n"; }
    if (!one.claims.empty()) {
        sheet claims{"", {"claim", "paper", "computed", "verdict"}};
        for (auto const& each : one.claims) {
            claims.add(each.what, each.said, each.computed, each.agrees ? "agrees" : "differs: " + each.why_not);
        }
        result += tables::table_of(claims);
    }
    for (auto const& each : one.sheets) {
        auto const count = each.rows().size();
        result += tables::link_to(each.file(), each.file()) + ", " + std::to_string(count) + " rows" +
                  (count > rows_shown ? ", of which the first are:" : ":") + "\n\n" +
                  tables::table_of(each, rows_shown);
    }
    return result;
}

/// All claims of all exhibits.
[[nodiscard]] inline sheet claims_sheet(std::vector<exhibit> const& exhibits) {
    sheet result{"claims.csv", {"exhibit", "claim", "paper", "computed", "verdict", "why"}};
    for (auto const& each : exhibits) {
        auto const name = each.title.substr(0, each.title.find(':'));
        for (auto const& one : each.claims) {
            result.add(name, one.what, one.said, one.computed, one.agrees ? "agrees" : "differs",
                       one.agrees ? std::string{} : one.why_not);
        }
    }
    return result;
}

/// The exhibits as Markdown.
[[nodiscard]] inline std::string page_of(std::vector<exhibit> const& exhibits) {
    auto const [agree, differ] = count_verdicts(exhibits);
    auto result =
        "# The papers’ tables and figures\n\n"
        "Recomputed by tutti’s own schedules, predictions and simulations from B. R. Lowery and J. Langou, A Greedy "
        "Algorithm for Optimally Pipelining a Reduction (LL), L.-C. Canon and G. Antoniu, Scheduling Associative "
        "Reductions with Homogeneous Costs when Overlapping Communications and Computations, RR-7898 (CA), and "
        "J. Proficz, Improving all-reduce collective operations for imbalanced process arrival patterns (JP). Beside "
        "each stands what the paper says. Figure 2 of LL is source code; its figure 9, and all of JP but figures 6 and "
        "8, was measured on machines: that is not here.\n\n" +
        std::to_string(agree) + " claims agree, " + std::to_string(differ) + " differ; all of them: " +
        tables::link_to("claims.csv", "claims.csv") + ".\n\n";
    for (auto const& each : exhibits) { result += text_of(each); }
    return result;
}

}  // namespace tutti::paper
