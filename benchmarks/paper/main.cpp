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

#include "../chart/folder.hpp"
#include "../support/options.hpp"
#include "exhibit.hpp"
#include "options.hpp"
#include "page.hpp"

namespace {

using namespace tutti::paper;

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
