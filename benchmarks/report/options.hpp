// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../collectives/reading.hpp"
#include "bound.hpp"

namespace tutti::report {

struct options {
    std::vector<std::string> files;
    std::string output = "build/report";
    std::optional<network> costs;
    bool help = false;
};

inline constexpr std::string_view usage =
    R"(report FILE.csv... [--output DIR] [--alpha SECONDS --beta SECONDS_PER_BYTE --gamma SECONDS_PER_BYTE]
One page, DIR/index.html, from files that `collectives --csv` writes: where tutti's automatic choice stands beside its
peers, and beside tutti's other algorithms. The name of a file is that of the ground where it was measured, GROUND.csv,
or GROUND@NAME.csv for a run in which the MPI's own call is to be called NAME.
  --output DIR     where to write, build/report if not given
  --alpha, --beta, --gamma
                   what a message, a byte sent and a byte combined cost: also shows how far times are from the lower
                   bound
)";

/// Reads names of files, `--name value` and `--name=value`. Throws usage_error for what it does not understand.
[[nodiscard]] inline options read_options(std::vector<std::string> const& arguments) {
    using namespace benchmark::reading;
    options result;
    std::vector<std::string> rest;
    for (auto at = arguments.begin(); at != arguments.end(); ++at) {
        if (!at->starts_with('-')) {
            result.files.push_back(*at);
            continue;
        }
        rest.push_back(*at);
        bool const takes_next = *at != "--help" && at->find('=') == std::string::npos && at + 1 != arguments.end();
        if (takes_next) { rest.push_back(*++at); }
    }

    using text = std::string const&;
    auto const cost = [&](double network::*which) {
        return [&result, which](text o, text v) {
            if (!result.costs) { result.costs.emplace(); }
            (*result.costs).*which = number(o, v, 0, largest<double>);
        };
    };
    options_with_value const with_value{
        {"--output", [&](text, text v) { result.output = v; }},
        {"--alpha", cost(&network::alpha)},
        {"--beta", cost(&network::beta)},
        {"--gamma", cost(&network::gamma)},
    };
    read(rest, with_value, {{"--help", [&](text) { result.help = true; }}});
    if (result.files.empty() && !result.help) { refuse("report needs files of measurements; --help says which"); }
    if (result.output.empty()) { refuse("--output needs a value"); }
    return result;
}

}  // namespace tutti::report
