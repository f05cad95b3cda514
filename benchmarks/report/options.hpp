// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "../support/options.hpp"
#include "bound.hpp"

namespace tutti::report {

struct options {
    std::vector<std::string> files;
    std::string output = "build/report";
    std::optional<network> costs;
    bool help = false;
};

[[nodiscard]] inline std::vector<command_line::option> table_of(options& to) {
    using namespace command_line;
    auto const cost = [&to](double network::*which) -> reader {
        return [&to, which](std::string const& name, std::string const& value) {
            if (!to.costs) { to.costs.emplace(); }
            (*to.costs).*which = read_number<double>(name, value);
        };
    };
    return {
        {"--output", "DIR", "where to write, build/report if not given", into(to.output)},
        {"--alpha", "SECONDS", "what a message costs: then also how far times are from the lower bound",
         cost(&network::alpha)},
        {"--beta", "SECONDS_PER_BYTE", "what a byte sent costs", cost(&network::beta)},
        {"--gamma", "SECONDS_PER_BYTE", "what a byte combined costs", cost(&network::gamma)},
        {"--help", "", "this text", into(to.help)},
    };
}

/// Reads names of files too. Throws `refusal`.
[[nodiscard]] inline options read_options(std::vector<std::string> const& arguments) {
    options result;
    command_line::read(arguments, table_of(result), &result.files);
    if (result.files.empty() && !result.help) {
        throw command_line::refusal{"report needs files of measurements; --help says which"};
    }
    return result;
}

[[nodiscard]] inline std::string usage() {
    options none;
    return "report FILE.csv... [OPTION...]\n"
           "One page, DIR/index.html, from files that `collectives --csv` writes: where tutti's automatic choice\n"
           "stands beside its peers, and beside tutti's other algorithms. The name of a file is that of the ground\n"
           "where it was measured, GROUND.csv, or GROUND@NAME.csv for a run in which the MPI's own call is to be\n"
           "called NAME.\n" +
           command_line::usage_of(table_of(none));
}

}  // namespace tutti::report
