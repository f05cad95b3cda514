// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
//
// The tables and figures of the papers on reductions, as CSV, SVG and one page: --help lists the options.

#include <algorithm>
#include <chrono>
#include <iostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../chart/page.hpp"
#include "../support/options.hpp"
#include "exhibit.hpp"
#include "page.hpp"

namespace {

using namespace tutti::paper;

struct options {
    std::string output = "build/paper";
    std::vector<std::string> only;  ///< names of parts; none: all
    bool help = false;

    [[nodiscard]] bool wants(std::string_view part) const {
        return only.empty() || std::find(only.begin(), only.end(), part) != only.end();
    }
};

[[nodiscard]] std::vector<tutti::command_line::option> table_of(options& to) {
    using namespace tutti::command_line;
    std::vector<std::string> names;
    for (auto const& each : all_parts()) { names.push_back(each.name); }
    return {
        {"--output", "DIR", "where to write, build/paper if not given", into(to.output)},
        {"--only", "NAME,...", "only some of: " + listed(names), some_of(to.only, names)},
        {"--help", "", "this text", into(to.help)},
    };
}

/// Throws `refusal` for what it does not understand.
[[nodiscard]] options read_options(std::vector<std::string> const& arguments) {
    options result;
    tutti::command_line::read(arguments, table_of(result));
    return result;
}

[[nodiscard]] std::string usage() {
    options none;
    return "paper [--output DIR] [--only NAME,...]\n"
           "Every table and figure of the papers on reductions, as CSV and SVG, with a page index.html that\n"
           "shows them beside what the papers say.\n" +
           tutti::command_line::usage_of(table_of(none));
}

using tutti::charts::folder;

void write(folder const& to, exhibit const& one) {
    for (auto const& each : one.pictures) { to.write(each.file, each.svg); }
    for (auto const& each : one.sheets) { to.write(each.file(), each.text()); }
}

class stopwatch {
public:
    [[nodiscard]] std::string seconds() const {
        std::chrono::duration<double> const passed = std::chrono::steady_clock::now() - start_;
        return fixed(passed.count(), 1) + " s";
    }

private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

std::string told(verdicts const& counted) {
    return std::to_string(counted.agree) + " claims agree, " + std::to_string(counted.differ) + " differ";
}

std::vector<exhibit> make(part const& one, folder const& to) {
    std::cerr << one.name << std::flush;
    stopwatch const watch;
    auto exhibits = one.make();
    for (auto const& each : exhibits) { write(to, each); }
    std::cerr << ": " << watch.seconds() << ", " << told(count_verdicts(exhibits)) << std::endl;
    return exhibits;
}

void run(options const& wanted) {
    folder const to{wanted.output};
    stopwatch const watch;
    std::vector<exhibit> exhibits;
    for (auto const& each : all_parts()) {
        if (!wanted.wants(each.name)) { continue; }
        for (auto& made : make(each, to)) { exhibits.push_back(std::move(made)); }
    }
    to.write("claims.csv", claims_sheet(exhibits).text());
    to.write("index.html", page_of(exhibits));
    std::cout << "summary: " << told(count_verdicts(exhibits)) << "; " << watch.seconds()
              << "; page: " << to.locate("index.html") << std::endl;
}

}  // namespace

int main(int count, char** values) {
    return tutti::command_line::status_of("paper", [&] {
        auto const wanted = read_options({values + 1, values + count});
        if (wanted.help) {
            std::cout << usage();
        } else {
            run(wanted);
        }
    });
}
