// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <istream>
#include <map>
#include <string>
#include <string_view>
#include <system_error>
#include <tuple>
#include <vector>

#include "../support/options.hpp"

namespace tutti::report {

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
    std::size_t line;
};

/// The rows of one file. Columns may stand in any order, and among others.
class rows_of {
public:
    /// Throws `refusal` that names file and line where something is wrong.
    static std::vector<row> read(std::istream& in, std::string const& file) { return rows_of{in, file}.rows_; }

private:
    static constexpr std::array<std::string_view, 11> columns{
        "collective", "algorithm", "implementation", "size",   "elements",   "element_bytes",
        "operator",   "median_us", "min_us",         "max_us", "repetitions"};

    rows_of(std::istream& in, std::string const& file) : file_{file} {
        std::string text;
        ++line_;
        std::getline(in, text);
        read_columns(text);
        while (++line_, std::getline(in, text)) {
            values_ = command_line::items(text);
            if (values_.size() != names_.size()) {
                refuse("the number of values is " + std::to_string(values_.size()) + ", that of columns " +
                       std::to_string(names_.size()));
            }
            rows_.push_back(read_row());
        }
    }

    [[noreturn]] void refuse(std::string const& why) const {
        throw command_line::refusal{file_ + ':' + std::to_string(line_) + ": " + why};
    }

    void read_columns(std::string const& text) {
        names_ = command_line::items(text);
        for (std::size_t i = 0; i != names_.size(); ++i) { places_.emplace(names_[i], i); }
        for (auto const each : columns) {
            if (!places_.contains(std::string{each})) {
                refuse("there is no column " + std::string{each} +
                       "; the first line of what `./dev bench collectives --csv` writes names them all");
            }
        }
    }

    row read_row() {
        row result{name("collective"), name("algorithm"), name("implementation"), name("operator"),
                   count("size"),      count("elements"), count("element_bytes"), time("median_us"),
                   time("min_us"),     time("max_us"),    count("repetitions"),   line_};
        if (!(result.least <= result.median && result.median <= result.most)) {
            refuse("median_us is not between min_us and max_us");
        }
        auto const [before, is_new] =
            lines_.try_emplace({result.collective, result.algorithm, result.implementation, result.operator_name,
                                result.size, result.elements, result.element_bytes},
                               line_);
        if (!is_new) { refuse("this was measured in line " + std::to_string(before->second) + " already"); }
        return result;
    }

    [[nodiscard]] std::string const& value(std::string const& column) const { return values_[places_.at(column)]; }

    [[nodiscard]] std::string name(std::string const& column) const {
        if (value(column).empty()) { refuse(column + " is empty"); }
        return value(column);
    }
    [[nodiscard]] std::size_t count(std::string const& column) const {
        std::size_t result = 0;
        if (!reads(value(column), result) || result == 0) { refuse(not_a(column, "a whole number of at least 1")); }
        return result;
    }
    [[nodiscard]] double time(std::string const& column) const {
        double result = 0;
        if (!reads(value(column), result) || !std::isfinite(result) || result < 0) {
            refuse(not_a(column, "a time in microseconds"));
        }
        return result;
    }

    [[nodiscard]] std::string not_a(std::string const& column, std::string const& what) const {
        return column + " is '" + value(column) + "' and not " + what;
    }

    template <class Number>
    static bool reads(std::string const& text, Number& result) {
        auto const* const last = text.data() + text.size();
        auto const [end, code] = std::from_chars(text.data(), last, result);
        return code == std::errc{} && end == last;
    }

    using subject =
        std::tuple<std::string, std::string, std::string, std::string, std::size_t, std::size_t, std::size_t>;

    std::string const& file_;
    std::size_t line_ = 0;
    std::vector<std::string> names_;
    std::map<std::string, std::size_t> places_;
    std::vector<std::string> values_;
    std::map<subject, std::size_t> lines_;
    std::vector<row> rows_;
};

}  // namespace tutti::report
