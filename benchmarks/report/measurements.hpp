// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <array>
#include <deque>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>

#include "../support/options.hpp"

namespace tutti::report {

struct source;

/// A line of what `collectives --csv` writes: times in microseconds.
struct row {
    std::string collective;
    std::string algorithm;
    std::string implementation;
    std::string operator_name;
    std::size_t size;
    std::size_t elements;
    std::size_t element_bytes;
    double median;
    double least;
    double most;
    std::size_t repetitions;
    source const* from = nullptr;

    [[nodiscard]] std::size_t bytes() const { return elements * element_bytes; }
    [[nodiscard]] bool is_ours() const { return implementation == "tutti"; }
    [[nodiscard]] bool is_automatic() const { return is_ours() && algorithm == "automatic"; }
    [[nodiscard]] std::string label() const {
        return !is_ours() && algorithm == "automatic" ? implementation : implementation + ' ' + algorithm;
    }
};

/// A file of measurements.
struct source {
    std::string file;         ///< without its folder
    std::string ground;       ///< where it was measured
    std::string name_of_mpi;  ///< of GROUND@NAME.csv; empty: mpi
    std::vector<row> rows;
};

/// The rows of one file. Columns may stand in any order, and among others. Throws `usage_error` that names file and
/// line where something is wrong.
[[nodiscard]] inline std::vector<row> read_rows(std::istream& in, std::string const& file) {
    std::size_t line = 1;
    auto const refuse = [&](std::string const& why) {
        throw command_line::usage_error{file + ':' + std::to_string(line) + ": " + why};
    };
    std::string text;
    std::getline(in, text);
    auto const names = command_line::items(text);
    std::map<std::string_view, std::size_t> places;
    for (std::size_t i = 0; i != names.size(); ++i) { places.emplace(names[i], i); }
    for (std::string const each : {"collective", "algorithm", "implementation", "size", "elements", "element_bytes",
                                   "operator", "median_us", "min_us", "max_us", "repetitions"}) {
        if (!places.contains(each)) {
            refuse("there is no column " + each +
                   "; the first line of what `./dev bench collectives --csv` writes names them all");
        }
    }

    std::vector<std::string> values;
    auto const name = [&](std::string const& column) {
        auto const& value = values[places.at(column)];
        if (value.empty()) { refuse(column + " is empty"); }
        return value;
    };
    auto const number = [&]<class Number>(std::string const& column, Number result) {
        auto const& value = values[places.at(column)];
        constexpr bool is_time = std::is_floating_point_v<Number>;
        auto const [end, code] = std::from_chars(value.data(), value.data() + value.size(), result);
        bool const is_read = code == std::errc{} && end == value.data() + value.size();
        if (!is_read || (is_time ? !std::isfinite(static_cast<double>(result)) || result < 0 : result == 0)) {
            refuse(column + " is '" + value + "' and not " +
                   (is_time ? "a time in microseconds" : "a whole number of at least 1"));
        }
        return result;
    };
    auto const count = [&](std::string const& column) { return number(column, std::size_t{}); };
    auto const time = [&](std::string const& column) { return number(column, double{}); };
    std::vector<row> rows;
    std::map<std::string, std::size_t> lines;
    while (++line, std::getline(in, text)) {
        values = command_line::items(text);
        if (values.size() != names.size()) {
            refuse("the number of values is " + std::to_string(values.size()) + ", that of columns " +
                   std::to_string(names.size()));
        }
        row const one{name("collective"), name("algorithm"), name("implementation"), name("operator"),
                      count("size"),      count("elements"), count("element_bytes"), time("median_us"),
                      time("min_us"),     time("max_us"),    count("repetitions")};
        if (!(one.least <= one.median && one.median <= one.most)) {
            refuse("median_us is not between min_us and max_us");
        }
        auto const subject = one.collective + ',' + one.algorithm + ',' + one.implementation + ',' +
                             one.operator_name + ',' + std::to_string(one.size) + ',' + std::to_string(one.elements) +
                             ',' + std::to_string(one.element_bytes);
        auto const [before, is_new] = lines.try_emplace(subject, line);
        if (!is_new) { refuse("this was measured in line " + std::to_string(before->second) + " already"); }
        rows.push_back(one);
    }
    return rows;
}

/// Reads files GROUND.csv and GROUND@NAME.csv, each to an address that stays. Throws `usage_error`.
[[nodiscard]] inline std::deque<source> read_sources(std::vector<std::string> const& paths) {
    std::deque<source> result;
    for (auto const& path : paths) {
        auto const file = std::filesystem::path{path}.filename().string();
        auto const name = file.ends_with(".csv") ? file.substr(0, file.size() - 4) : file;
        auto const at = name.find('@');
        auto const ground = name.substr(0, at);
        auto const mpi = at == std::string::npos ? "" : name.substr(at + 1);
        if (ground.empty() || (at != std::string::npos && mpi.empty()) || mpi == "tutti") {
            throw command_line::usage_error{path +
                                            " names no ground; files are called GROUND.csv, or GROUND@NAME.csv if "
                                            "NAME is another name of the MPI in them"};
        }
        if (std::any_of(result.begin(), result.end(), [&](source const& each) { return each.file == file; })) {
            throw command_line::usage_error{"two files are called " + file +
                                            "; of one ground, only files GROUND@NAME.csv can be several"};
        }
        std::ifstream in{path};
        if (!in || std::filesystem::is_directory(path)) {
            throw command_line::usage_error{"the file " + path + " cannot be read"};
        }
        auto& read = result.emplace_back(source{file, ground, mpi, read_rows(in, path)});
        for (auto& each : read.rows) {
            each.from = &read;
            if (!mpi.empty() && each.implementation == "mpi") { each.implementation = mpi; }
        }
    }
    return result;
}

/// One length of vector.
struct cell {
    std::size_t elements;
    std::size_t bytes;
    std::vector<row const*> timings;
    std::optional<double> lower_bound = {};  ///< in microseconds, if it is known
};

/// A collective with an operator on so many ranks of a ground: its cells, by length.
struct setting {
    std::string ground;
    std::string collective;
    std::string operator_name;
    std::size_t size;
    std::size_t element_bytes;
    std::vector<cell> cells;

    [[nodiscard]] bool has(std::string const& where, row const& one) const {
        return ground == where && collective == one.collective && operator_name == one.operator_name &&
               size == one.size && element_bytes == one.element_bytes;
    }
    [[nodiscard]] std::string title() const {
        return collective + (operator_name == "none" ? "" : ", " + operator_name) + ", " + std::to_string(size) +
               (size == 1 ? " rank" : " ranks") +
               (element_bytes == 8 ? "" : ", elements of " + std::to_string(element_bytes) + " bytes");
    }
};

/// Every ground once.
[[nodiscard]] inline std::vector<std::string> grounds_of(std::deque<source> const& files) {
    std::vector<std::string> result;
    for (auto const& each : files) {
        if (std::find(result.begin(), result.end(), each.ground) == result.end()) { result.push_back(each.ground); }
    }
    return result;
}

/// Puts the rows of all files together, ground by ground, in the order of the files.
[[nodiscard]] inline std::vector<setting> settings_of(std::deque<source> const& files) {
    std::vector<setting> result;
    auto const add = [&](std::string const& ground, row const& one) {
        auto where =
            std::find_if(result.begin(), result.end(), [&](auto const& each) { return each.has(ground, one); });
        if (where == result.end()) {
            result.push_back({ground, one.collective, one.operator_name, one.size, one.element_bytes, {}});
            where = result.end() - 1;
        }
        auto at = std::lower_bound(where->cells.begin(), where->cells.end(), one.elements,
                                   [](cell const& each, std::size_t n) { return each.elements < n; });
        if (at == where->cells.end() || at->elements != one.elements) {
            at = where->cells.insert(at, {one.elements, one.bytes(), {}});
        }
        at->timings.push_back(&one);
    };
    for (auto const& ground : grounds_of(files)) {
        for (auto const& file : files) {
            if (file.ground != ground) { continue; }
            for (auto const& one : file.rows) { add(ground, one); }
        }
    }
    return result;
}

}  // namespace tutti::report
