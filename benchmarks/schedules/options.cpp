// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include "options.hpp"

#include <charconv>
#include <cstddef>
#include <sstream>
#include <string>
#include <vector>

namespace tutti::generation {

namespace {

template <class Number>
[[nodiscard]] Number read_number(std::string const& name, std::string const& text) {
    Number result{};
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), result);
    if (error != std::errc{} || end != text.data() + text.size() || !(result > Number{})) {
        throw refusal{name + " needs a positive number, not '" + text + "'"};
    }
    return result;
}

[[nodiscard]] std::vector<std::string> read_list(std::string const& text) {
    std::vector<std::string> result;
    std::istringstream list{text};
    for (std::string each; std::getline(list, each, ',');) { result.push_back(each); }
    return result;
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
        auto const value = [&] {
            if (equals != std::string::npos) { return arguments[i].substr(equals + 1); }
            if (i + 1 == arguments.size()) { throw refusal{name + " needs a value"}; }
            return arguments[++i];
        };
        if (name == "--csv") {
            result.csv = value();
        } else if (name == "--output") {
            result.output = value();
        } else if (name == "--collectives") {
            result.collectives = read_list(value());
        } else if (name == "--algorithms") {
            result.algorithms = read_list(value());
        } else if (name == "--largest") {
            result.largest = read_number<std::size_t>(name, value());
        } else if (name == "--most") {
            result.most = read_number<std::size_t>(name, value());
        } else if (name == "--budget") {
            result.budget = read_number<double>(name, value());
        } else {
            throw refusal{"there is no option " + name + "; --help lists the options"};
        }
    }
    return result;
}

std::string usage() {
    return "schedules [OPTION...]\n"
           "Time and memory to generate the schedule of one rank, against the numbers of ranks and of blocks.\n"
           "  --csv FILE             a row for each point\n"
           "  --output DIR           charts, as SVG\n"
           "  --collectives NAME,... only some, such as reduce,all_gather\n"
           "  --algorithms NAME,...  only some\n"
           "  --largest P            the greatest number of ranks, 1000000 if not given\n"
           "  --most Q               the greatest number of blocks, 100000 if not given\n"
           "  --budget SECONDS       a series ends after a point that takes longer, 0.3 if not given\n";
}

}  // namespace tutti::generation
