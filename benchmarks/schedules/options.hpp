// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace tutti::generation {

/// What the command line asks for cannot be done: one clause that says why.
class refusal : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

struct options {
    std::string csv;
    std::string output;
    std::vector<std::string> collectives;  ///< none: all
    std::vector<std::string> algorithms;   ///< none: all
    std::size_t largest = 1'000'000;       ///< number of ranks
    std::size_t most = 100'000;            ///< number of blocks
    double budget = 0.3;                   ///< seconds for a point, before a series ends
    bool help = false;

    [[nodiscard]] static bool wants(std::vector<std::string> const& named, std::string_view one) {
        return named.empty() || std::find(named.begin(), named.end(), one) != named.end();
    }
};

/// Reads `--name value` and `--name=value`. Throws `refusal` for what it does not understand.
[[nodiscard]] options read_options(std::vector<std::string> const& arguments);

/// What --help prints.
[[nodiscard]] std::string usage();

}  // namespace tutti::generation
