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

[[nodiscard]] inline std::string anchor(std::size_t place) { return "exhibit-" + std::to_string(place + 1); }

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
        result += tagged("p", "The first " + std::to_string(rows_shown) + " rows.") + '\n';
    }
    return result + "</details>\n";
}

[[nodiscard]] inline std::string section(exhibit const& one, std::size_t place) {
    auto result =
        "<section id=\"" + anchor(place) + "\">\n" + tagged("h2", one.title) + '\n' + tagged("p", one.text) + '\n';
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
    return result + "</section>\n";
}

[[nodiscard]] inline std::string contents(std::vector<exhibit> const& exhibits) {
    std::string result = "<nav><ul>\n";
    for (std::size_t i = 0; i < exhibits.size(); ++i) {
        auto const counted = count_verdicts({exhibits[i]});
        result += "<li>" + link_to('#' + anchor(i), exhibits[i].title) + ' ';
        if (counted.differ != 0) {
            result +=
                tagged("span class=\"differs\"", std::to_string(counted.differ) + " of " +
                                                     std::to_string(counted.agree + counted.differ) + " claims differ");
        }
        result += "</li>\n";
    }
    return result + "</ul></nav>\n";
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
    auto const counted = count_verdicts(exhibits);
    auto result = charts::document_head("The papers' tables and figures", style);
    result += tagged("h1", "The papers’ tables and figures") + '\n';
    result +=
        tagged("p", "Recomputed by tutti’s own schedules, predictions and simulations from B. R. Lowery and "
                    "J. Langou, A Greedy Algorithm for Optimally Pipelining a Reduction (LL), L.-C. Canon and "
                    "G. Antoniu, Scheduling Associative Reductions with Homogeneous Costs when Overlapping "
                    "Communications and Computations, RR-7898 (CA), and J. Proficz, Improving all-reduce collective "
                    "operations for imbalanced process arrival patterns (JP). Beside each stands what the paper says. "
                    "Figure 2 of LL is source code; its figure 9, and all of JP but figures 6 and 8, was measured "
                    "on machines: that is not here.");
    result += "<p><span class=\"agrees\">" + std::to_string(counted.agree) +
              " claims agree</span>, <span class=\"differs\">" + std::to_string(counted.differ) +
              " differ</span>; all of them: <a href=\"claims.csv\">claims.csv</a>.</p>\n";
    result += contents(exhibits);
    for (std::size_t i = 0; i < exhibits.size(); ++i) { result += section(exhibits[i], i); }
    return result + "</body>\n</html>\n";
}

}  // namespace tutti::paper
