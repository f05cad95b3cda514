// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "../chart/folder.hpp"

namespace tutti::paper {

using charts::refusal;

struct options {
    std::string output = "build/paper";
    std::vector<std::string> only;  ///< names of parts; none: all
    bool help = false;

    [[nodiscard]] bool wants(std::string_view part) const {
        return only.empty() || std::find(only.begin(), only.end(), part) != only.end();
    }
};

/// Reads `--name value` and `--name=value`. Throws `refusal` for what it does not understand.
[[nodiscard]] options read_options(std::vector<std::string> const& arguments);

/// What --help prints.
[[nodiscard]] std::string usage();

}  // namespace tutti::paper
