// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <deque>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rows.hpp"

namespace tutti::report {

/// A file of measurements.
struct source {
    std::string file;         ///< without its folder
    std::string ground;       ///< where it was measured
    std::string name_of_mpi;  ///< of GROUND@NAME.csv; empty: mpi
    std::vector<row> rows;
};

/// Reads GROUND.csv or GROUND@NAME.csv. Throws `refusal`.
[[nodiscard]] inline source read_source(std::string const& path) {
    source result;
    result.file = std::filesystem::path{path}.filename().string();
    constexpr std::string_view ending = ".csv";
    auto const name =
        result.file.ends_with(ending) ? result.file.substr(0, result.file.size() - ending.size()) : result.file;
    auto const at = name.find('@');
    result.ground = name.substr(0, at);
    if (at != std::string::npos) { result.name_of_mpi = name.substr(at + 1); }
    if (result.ground.empty() || (at != std::string::npos && result.name_of_mpi.empty()) ||
        result.name_of_mpi == "tutti") {
        throw command_line::refusal{path + " names no ground; files are called GROUND.csv, or GROUND@NAME.csv if NAME is "
                                     "another name of the MPI in them"};
    }

    std::ifstream in{path};
    if (!in || std::filesystem::is_directory(path)) { throw command_line::refusal{"the file " + path + " cannot be read"}; }
    result.rows = rows_of::read(in, path);
    if (!result.name_of_mpi.empty()) {
        for (auto& each : result.rows) {
            if (each.implementation == "mpi") { each.implementation = result.name_of_mpi; }
        }
    }
    return result;
}

/// All files, at addresses that stay.
[[nodiscard]] inline std::deque<source> read_sources(std::vector<std::string> const& paths) {
    std::deque<source> result;
    for (auto const& path : paths) {
        auto next = read_source(path);
        auto const same =
            std::find_if(result.begin(), result.end(), [&](source const& each) { return each.file == next.file; });
        if (same != result.end()) {
            throw command_line::refusal{"two files are called " + next.file +
                                  "; of one ground, only files GROUND@NAME.csv can be several"};
        }
        result.push_back(std::move(next));
    }
    return result;
}

/// Every ground once.
[[nodiscard]] inline std::vector<std::string> grounds_of(std::deque<source> const& senders) {
    std::vector<std::string> result;
    for (auto const& each : senders) {
        if (std::find(result.begin(), result.end(), each.ground) == result.end()) { result.push_back(each.ground); }
    }
    return result;
}

}  // namespace tutti::report
