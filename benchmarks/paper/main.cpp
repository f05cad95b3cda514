// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
//
// The tables and figures of the papers on reductions, as CSV, Markdown and drawn schedules: --help lists the options.

#include <chrono>

#include "exhibit.hpp"

namespace tutti::paper {

// Table 4 has figure 10 with it; the figures of trees are of Canon and Antoniu, those of arrivals of
// Proficz.
std::vector<exhibit> table_1(), table_2(), table_3(), table_4(), figure_1(), figure_3(), figure_4(), figure_5(),
    figure_6(), figure_7(), figure_8(), tree_figures(), arrival_figure_6(), arrival_figure_8();

namespace {

/// What makes one or more exhibits; `name` is how the command line calls it.
struct part {
    std::string name;
    std::vector<exhibit> (*make)();
};

/// All of them, in the order of the papers.
std::vector<part> const all_parts{
    {"table1", table_1},   {"table2", table_2},   {"figure1", figure_1},
    {"figure3", figure_3}, {"figure4", figure_4}, {"figure5", figure_5},
    {"table3", table_3},   {"figure6", figure_6}, {"figure7", figure_7},
    {"figure8", figure_8}, {"table4", table_4},   {"trees", tree_figures},
    {"arrival_figure6", arrival_figure_6},        {"arrival_figure8", arrival_figure_8},
};

/// "12.3 s"
std::string seconds_since(std::chrono::steady_clock::time_point start) {
    std::chrono::duration<double> const passed = std::chrono::steady_clock::now() - start;
    return fixed(passed.count(), 1) + " s";
}

void run(std::vector<std::string> const& arguments) {
    using namespace command_line;
    std::vector<std::string> names;
    for (auto const& each : all_parts) { names.push_back(each.name); }
    std::string output = "build/paper";
    auto only = names;
    read(arguments,
         "paper [--output DIR] [--only NAME,...]\n"
         "Every table and figure of the papers on reductions, as CSV, schedules drawn as SVG, and paper.md,\n"
         "which shows them beside what the papers say, and why where they differ. All of them take 10 minutes\n"
         "on two processors, figure5 alone 9.",
         {{"--output", "DIR", "where to write, build/paper if not given", into(output)},
          {"--only", "NAME,...", "only some of: " + listed(names), some_of(only, names)}});

    tables::folder const to{output};
    auto const start = std::chrono::steady_clock::now();
    std::vector<exhibit> exhibits;
    std::size_t number = 0;
    for (auto const& [name, make] : all_parts) {
        if (std::find(only.begin(), only.end(), name) == only.end()) { continue; }
        std::cerr << '[' << ++number << '/' << only.size() << "] " << name
                  << (name == "figure5" ? ", which takes 9 minutes on two processors" : "") << std::endl;
        auto const begun = std::chrono::steady_clock::now();
        auto made = make();
        std::cerr << name << ": " << seconds_since(begun) << ", " << to_string(count_verdicts(made)) << std::endl;
        for (auto& one : made) {
            for (auto const& each : one.pictures) { to.write(each.file, each.svg); }
            for (auto const& each : one.sheets) { to.write(each.file(), each.text()); }
            exhibits.push_back(std::move(one));
        }
    }
    to.write("claims.csv", claims_sheet(exhibits).text());
    to.write("paper.md", page_of(exhibits));
    std::cout << "summary: " << to_string(count_verdicts(exhibits)) << "; reasons: "
              << to.locate("claims.csv") << ", column why; " << seconds_since(start)
              << "; page: " << to.locate("paper.md") << std::endl;
}

}  // namespace

}  // namespace tutti::paper

int main(int count, char** values) {
    return tutti::command_line::status_of("paper", [&] { tutti::paper::run({values + 1, values + count}); });
}
