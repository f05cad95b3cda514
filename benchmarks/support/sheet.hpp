// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

#include <tutti/analysis/draw/number.hpp>

#include "options.hpp"

/// Tables, as comma-separated values and as Markdown, and the folder that they lie in.
namespace tutti::tables {

[[nodiscard]] inline double fixed_value(double value, int digits) {
    auto const scale = std::pow(10.0, digits);
    return std::round(value * scale) / scale;
}

[[nodiscard]] inline std::string fixed(double value, int digits) {
    return analysis::draw::number(fixed_value(value, digits));
}

/// With all digits before the point and so many behind it that there are `digits` in all.
[[nodiscard]] inline std::string significant(double value, int digits) {
    if (value == 0) { return "0"; }
    return fixed(value, std::max(0, digits - 1 - static_cast<int>(std::floor(std::log10(std::abs(value))))));
}

/// A table whose rows are written to a file of comma-separated values.
class sheet {
public:
    using row = std::vector<std::string>;

    sheet(std::string file, row columns) : file_{std::move(file)}, columns_{std::move(columns)} {}

    template <class... Values>
    void add(Values const&... values) {
        rows_.push_back({text_of(values)...});
    }
    void add_row(row values) { rows_.push_back(std::move(values)); }

    [[nodiscard]] std::string const& file() const { return file_; }
    [[nodiscard]] row const& columns() const { return columns_; }
    [[nodiscard]] std::vector<row> const& rows() const { return rows_; }

    [[nodiscard]] std::string text() const {
        std::string result;
        append(result, columns_);
        for (auto const& each : rows_) { append(result, each); }
        return result;
    }

private:
    template <class Value>
    static std::string text_of(Value const& value) {
        if constexpr (std::is_arithmetic_v<Value>) {
            return analysis::draw::number(static_cast<double>(value));
        } else {
            return std::string{value};
        }
    }

    static void append(std::string& to, row const& values) {
        for (auto const& value : values) {
            if (&value != &values.front()) { to += ','; }
            to += quoted(value);
        }
        to += '\n';
    }

    static std::string quoted(std::string const& value) {
        if (value.find_first_of(",\"\n") == std::string::npos) { return value; }
        std::string result = "\"";
        for (auto const each : value) { result += each == '"' ? std::string{"\"\""} : std::string{each}; }
        return result + '"';
    }

    std::string file_;
    row columns_;
    std::vector<row> rows_;
};

/// The first `shown` rows as a table of Markdown.
[[nodiscard]] inline std::string table_of(sheet const& one, std::size_t shown = static_cast<std::size_t>(-1)) {
    std::string result;
    auto const add = [&](sheet::row const& values) {
        for (auto value : values) {
            for (auto at = value.find('|'); at != std::string::npos; at = value.find('|', at + 2)) {
                value.insert(at, 1, '\\');
            }
            (result += "| ") += value + ' ';
        }
        result += "|\n";
    };
    add(one.columns());
    add(sheet::row(one.columns().size(), "---"));
    for (std::size_t i = 0; i < std::min(shown, one.rows().size()); ++i) { add(one.rows()[i]); }
    return result + '\n';
}

/// "[text](address)"
[[nodiscard]] inline std::string link_to(std::string const& address, std::string const& text) {
    return '[' + text + "](" + address + ')';
}

using command_line::usage_error;

/// Where the files are written. Made if it is not there; throws `usage_error` where that cannot be done.
class folder {
public:
    explicit folder(std::filesystem::path path) : path_{std::move(path)} {
        std::error_code failed;
        std::filesystem::create_directories(path_, failed);
        if (failed) { throw usage_error{"the folder " + path_.string() + " cannot be made: " + failed.message()}; }
    }

    void write(std::string const& name, std::string const& text) const {
        std::ofstream out{path_ / name, std::ios::binary};
        out << text << std::flush;
        if (!out) { throw usage_error{"the file " + (path_ / name).string() + " cannot be written"}; }
    }

    /// The whole path of a file in it.
    [[nodiscard]] std::string locate(std::string const& name) const {
        return std::filesystem::absolute(path_ / name).lexically_normal().string();
    }

private:
    std::filesystem::path path_;
};

}  // namespace tutti::tables
