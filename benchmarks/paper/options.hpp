// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "../support/options.hpp"
#include "exhibit.hpp"

namespace tutti::paper {

struct options {
    std::string output = "build/paper";
    std::vector<std::string> only;  ///< names of parts; none: all
    bool help = false;

    [[nodiscard]] bool wants(std::string_view part) const {
        return only.empty() || std::find(only.begin(), only.end(), part) != only.end();
    }
};

[[nodiscard]] inline std::vector<command_line::option> table_of(options& to) {
    using namespace command_line;
    std::vector<std::string> names;
    for (auto const& each : all_parts()) { names.push_back(each.name); }
    return {
        {"--output", "DIR", "where to write, build/paper if not given", into(to.output)},
        {"--only", "NAME,...", "only some of: " + listed(names), some_of(to.only, names)},
        {"--help", "", "this text", into(to.help)},
    };
}

/// Throws `refusal` for what it does not understand.
[[nodiscard]] inline options read_options(std::vector<std::string> const& arguments) {
    options result;
    command_line::read(arguments, table_of(result));
    return result;
}

[[nodiscard]] inline std::string usage() {
    options none;
    return "paper [--output DIR] [--only NAME,...]\n"
           "Every table and figure of the papers on reductions, as CSV and SVG, with a page index.html that\n"
           "shows them beside what the papers say.\n" +
           command_line::usage_of(table_of(none));
}

}  // namespace tutti::paper
