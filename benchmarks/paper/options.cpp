// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.

#include "options.hpp"

#include <algorithm>
#include <cstddef>
#include <sstream>
#include <string>
#include <vector>

#include "exhibit.hpp"

namespace tutti::paper {

namespace {

std::string names() {
    std::string result;
    for (auto const& each : all_parts()) { result += (result.empty() ? "" : " ") + each.name; }
    return result;
}

bool is_part(std::string const& name) {
    return std::any_of(all_parts().begin(), all_parts().end(), [&](part const& each) { return each.name == name; });
}

}  // namespace

options read_options(std::vector<std::string> const& arguments) {
    options result;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        auto const equals = arguments[i].find('=');
        auto const name = arguments[i].substr(0, equals);
        if (name == "--help" || name == "-h") {
            result.help = true;
            continue;
        }
        if (name != "--output" && name != "--only") {
            throw refusal{"there is no option " + name + "; --help lists the options"};
        }
        if (equals == std::string::npos && i + 1 == arguments.size()) { throw refusal{name + " needs a value"}; }
        auto const value = equals == std::string::npos ? arguments[++i] : arguments[i].substr(equals + 1);
        if (value.empty()) { throw refusal{name + " needs a value"}; }
        if (name == "--output") {
            result.output = value;
            continue;
        }
        std::istringstream list{value};
        for (std::string each; std::getline(list, each, ',');) {
            if (!is_part(each)) { throw refusal{"--only knows " + names() + ", not " + each}; }
            result.only.push_back(each);
        }
    }
    return result;
}

std::string usage() {
    return "paper [--output DIR] [--only NAME,...]\n"
           "Every table and figure of the papers on reductions, as CSV and SVG, with a page index.html that\n"
           "shows them beside what the papers say.\n"
           "  --output DIR     where to write, build/paper if not given\n"
           "  --only NAME,...  only some of: " +
           names() + "\n";
}

}  // namespace tutti::paper
