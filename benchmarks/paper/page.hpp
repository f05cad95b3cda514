// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <tutti/analysis/draw/svg_page.hpp>

#include "../chart/page.hpp"
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

using charts::link_to;
using charts::tagged;
using draw::escaped;

inline constexpr std::size_t rows_shown = 40;

inline constexpr std::string_view style = R"(.agrees { color: #1b5635; font-weight: 600; }
.differs { color: #a02020; font-weight: 600; }
.why { color: #4a5260; }
)";

[[nodiscard]] inline std::string claim_row(claim const& one) {
    auto verdict =
        tagged(one.agrees ? "span class=\"agrees\"" : "span class=\"differs\"", one.agrees ? "agrees" : "differs");
    if (!one.agrees) { verdict += "<br>" + tagged("span class=\"why\"", one.why_not); }
    return "<tr>" + tagged("td", one.what) + tagged("td", one.said) + tagged("td", one.computed) + "<td>" + verdict +
           "</td></tr>\n";
}

inline constexpr std::string_view claims_head =
    "<div class=\"scroll\"><table>\n<tr><th>claim</th><th>paper</th><th>computed</th><th>verdict</th></tr>\n";

[[nodiscard]] inline std::string rows_of(sheet const& one) {
    auto result = "<details><summary>" + std::to_string(one.rows().size()) +
                  " rows: " + link_to(one.file(), one.file()) + "</summary>\n" + charts::table_of(one, rows_shown);
    if (rows_shown < one.rows().size()) {
        result += charts::paragraph("The first " + std::to_string(rows_shown) + " rows.");
    }
    return result + "</details>\n";
}

[[nodiscard]] inline charts::part part_of(exhibit const& one) {
    auto result = charts::paragraph(one.text);
    for (auto const& each : one.pictures) {
        result += "<figure>\n" + each.svg + "<figcaption>" + escaped(each.caption) + ' ' +
                  link_to(each.file, each.file) + "</figcaption>\n</figure>\n";
    }
    if (!one.claims.empty()) {
        result += claims_head;
        for (auto const& each : one.claims) { result += claim_row(each); }
        result += "</table></div>\n";
    }
    for (auto const& each : one.sheets) { result += rows_of(each); }
    auto const [agree, differ] = count_verdicts({one});
    auto const note = std::to_string(differ) + " of " + std::to_string(agree + differ) + " claims differ";
    return {one.title, result, differ == 0 ? "" : tagged("span class=\"differs\"", note)};
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

/// A page of HTML that shows the exhibits with their pictures and needs no other file.
[[nodiscard]] inline std::string page_of(std::vector<exhibit> const& exhibits) {
    auto const [agree, differ] = count_verdicts(exhibits);
    auto introduction = charts::paragraph(
        "Recomputed by tutti’s own schedules, predictions and simulations from B. R. Lowery and J. Langou, A Greedy "
        "Algorithm for Optimally Pipelining a Reduction (LL), L.-C. Canon and G. Antoniu, Scheduling Associative "
        "Reductions with Homogeneous Costs when Overlapping Communications and Computations, RR-7898 (CA), and "
        "J. Proficz, Improving all-reduce collective operations for imbalanced process arrival patterns (JP). Beside "
        "each stands what the paper says. Figure 2 of LL is source code; its figure 9, and all of JP but figures 6 and "
        "8, was measured on machines: that is not here.");
    introduction += "<p><span class=\"agrees\">" + std::to_string(agree) +
                    " claims agree</span>, <span class=\"differs\">" + std::to_string(differ) +
                    " differ</span>; all of them: <a href=\"claims.csv\">claims.csv</a>.</p>\n";
    std::vector<charts::part> parts;
    for (auto const& each : exhibits) { parts.push_back(part_of(each)); }
    return charts::document("The papers’ tables and figures", style, introduction, parts);
}

}  // namespace tutti::paper
