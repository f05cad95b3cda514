// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
//
// One page about what `collectives` has measured: --help says from which files.

#include <iostream>

#include "../chart/page.hpp"
#include "../support/options.hpp"
#include "findings.hpp"
#include "measurements.hpp"
#include "options.hpp"
#include "page.hpp"

namespace {

using namespace tutti;

void run(report::options const& wanted) {
    auto const files = report::read_sources(wanted.files);
    report::findings const found{files, wanted.costs};
    charts::folder const to{wanted.output};
    for (auto const* each : {&found.files, &found.noises, &found.means, &found.behind, &found.choices}) {
        to.write(each->file(), each->text());
    }
    to.write("index.html", report::page{found}.text());
    std::cout << "summary: " << found.summary() << "\npage: " << to.locate("index.html") << std::endl;
}

}  // namespace

int main(int count, char** values) {
    return command_line::status_of("", [&] {
        auto const wanted = report::read_options({values + 1, values + count});
        if (wanted.help) {
            std::cout << report::usage();
        } else {
            run(wanted);
        }
    });
}
