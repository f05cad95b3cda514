// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
//
// One page about what `collectives` has measured: --help says from which files.

#include "findings.hpp"
#include "measurements.hpp"
#include "page.hpp"

namespace {

using namespace tutti;

struct options {
    std::vector<std::string> files;
    std::string output = "build/report";
    std::optional<report::network> costs;
};

/// Reads names of files too. Throws `usage_error`.
[[nodiscard]] options read_options(std::vector<std::string> const& arguments) {
    using namespace command_line;
    options result;
    auto const cost = [&](double report::network::*which) -> reader {
        return [&result, which](std::string const& name, std::string const& value) {
            if (!result.costs) { result.costs.emplace(); }
            (*result.costs).*which = read_number<double>(name, value);
        };
    };
    read(arguments,
         "report FILE.csv... [OPTION...]\n"
         "One page, DIR/report.md, from files that `collectives --csv` writes: where tutti's automatic choice\n"
         "stands beside its peers, and beside tutti's other algorithms. The name of a file is that of the ground\n"
         "where it was measured, GROUND.csv, or GROUND@NAME.csv for a run in which the MPI's own call is to be\n"
         "called NAME.",
         {{"--output", "DIR", "where to write, build/report if not given", into(result.output)},
          {"--alpha", "SECONDS", "what a message costs: then also how far times are from the lower bound",
           cost(&report::network::alpha)},
          {"--beta", "SECONDS_PER_BYTE", "what a byte sent costs", cost(&report::network::beta)},
          {"--gamma", "SECONDS_PER_BYTE", "what a byte combined costs", cost(&report::network::gamma)}},
         &result.files);
    if (result.files.empty()) { throw usage_error{"report needs files of measurements; --help says which"}; }
    return result;
}

void run(std::vector<std::string> const& arguments) {
    auto const wanted = read_options(arguments);
    auto const files = report::read_sources(wanted.files);
    report::findings const found{files, wanted.costs};
    tables::folder const to{wanted.output};
    for (auto const* each : {&found.files, &found.noises, &found.means, &found.behind, &found.choices}) {
        to.write(each->file(), each->text());
    }
    to.write("report.md", report::page{found}.text());
    std::cout << "summary: " << found.summary() << "\npage: " << to.locate("report.md") << std::endl;
}

}  // namespace

int main(int count, char** values) {
    return command_line::status_of("", [&] { run({values + 1, values + count}); });
}
