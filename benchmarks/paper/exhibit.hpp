// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <initializer_list>

#include <tutti/analysis/draw/svg.hpp>
#include <tutti/analysis/simulate.hpp>
#include <tutti/analysis/timeline.hpp>
#include <tutti/text.hpp>

#include "../support/tables.hpp"

namespace tutti::paper {

using tables::fixed;
using tables::fixed_value;
using tables::sheet;

struct picture {
    std::string file;
    std::string svg;
    std::string caption;
};

/// Something that a paper says, beside what comes out here.
struct claim {
    std::string what;
    std::string said;
    std::string computed;
    bool agrees;
    std::string why_not = {};  ///< where it differs
};

/// One table or figure of a paper.
struct exhibit {
    std::string title;
    std::string text;
    std::vector<picture> pictures = {};
    std::vector<sheet> sheets = {};
    std::vector<claim> claims = {};
};

/// Some numbers to go through.
using numbers = std::initializer_list<std::size_t>;

/// "61 of 986"
[[nodiscard]] inline std::string share(std::size_t some, std::size_t all) {
    return std::to_string(some) + " of " + std::to_string(all);
}

[[nodiscard]] inline bool equal(double a, double b) {
    return std::abs(a - b) <= 1e-9 * std::max({1.0, std::abs(a), std::abs(b)});
}

/// The claim that something holds in all of some cases.
struct tally {
    std::string what = {};
    std::string why_not = {};
    std::size_t yes = 0;
    std::size_t cases = 0;

    void add(bool holds) {
        yes += holds ? 1U : 0U;
        ++cases;
    }
    [[nodiscard]] std::string found() const { return share(yes, cases); }

    operator claim() const { return {what, share(cases, cases) + " cases", found() + " cases", yes == cases, why_not}; }
};

/// "4, 3, 3", or with something else `between` them.
template <class Value>
[[nodiscard]] std::string joined(std::vector<Value> const& all, std::string const& between = ", ") {
    std::string result;
    for (auto const& each : all) { result += (&each == &all.front() ? "" : between) + tables::text_of(each); }
    return result;
}

/// When a simulated reduction to rank 0 ends.
template <class Generator>
[[nodiscard]] double makespan(Generator const& generator, std::size_t size, partition const& cut,
                              cost_model const& costs) {
    return simulate(collective::reduce{}, generator, size, 0, cut, costs).makespan();
}

/// A timeline as a picture and a table of its events.
inline void add_gantt(exhibit& to, std::string const& name, analysis::timeline const& line, std::string const& title,
                      std::string const& caption) {
    sheet events{name + ".csv", {"kind", "rank", "peer", "block", "start", "end"}};
    for (auto const& each : line.events) {
        events.add(analysis::name(each.what), each.rank, each.peer, each.block, each.start, each.end);
    }
    to.pictures.push_back({name + ".svg", to_svg(line, {.title = title}), caption});
    to.sheets.push_back(std::move(events));
}

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

/// "1 claim agrees, 2 differ"
[[nodiscard]] inline std::string to_string(verdicts const& counted) {
    return text::joined({text::word(counted.agree, "claim"), counted.agree == 1 ? " agrees, " : " agree, ",
                         counted.differ, counted.differ == 1 ? " differs" : " differ"});
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
        result += claims.markdown();
    }
    for (auto const& each : one.sheets) {
        auto const count = each.rows().size();
        result += tables::link_to(each.file(), each.file()) + ", " + text::joined({text::word(count, "row")}) +
                  (count > rows_shown ? ", of which the first are:" : ":") + "\n\n" +
                  each.markdown(rows_shown);
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
    auto result =
        "# The papers’ tables and figures\n\n"
        "Recomputed by tutti’s own schedules, predictions and simulations from B. R. Lowery and J. Langou, A Greedy "
        "Algorithm for Optimally Pipelining a Reduction (LL), L.-C. Canon and G. Antoniu, Scheduling Associative "
        "Reductions with Homogeneous Costs when Overlapping Communications and Computations, RR-7898 (CA), and "
        "J. Proficz, Improving all-reduce collective operations for imbalanced process arrival patterns (JP). Beside "
        "each stands what the paper says. Figure 2 of LL is source code; its figure 9, and all of JP but figures 6 and "
        "8, was measured on machines: that is not here.\n\n" +
        to_string(count_verdicts(exhibits)) + "; all of them: " +
        tables::link_to("claims.csv", "claims.csv") + ".\n\n";
    for (auto const& each : exhibits) { result += text_of(each); }
    return result;
}

}  // namespace tutti::paper
