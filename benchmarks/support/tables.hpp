// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include <tutti/analysis/draw/number.hpp>
#include <tutti/analysis/escaped.hpp>

#include "options.hpp"

/// What benchmarks print and write: numbers; tables as comma-separated values, as Markdown, and in columns for people;
/// the folder that files lie in.
namespace tutti::tables {

using command_line::usage_error;
using row = std::vector<std::string>;

// ---- numbers -------------------------------------------------------------------------------------------------------

[[nodiscard]] inline double fixed_value(double value, int digits) {
    auto const scale = std::pow(10.0, digits);
    return std::round(value * scale) / scale;
}

/// With at most this many digits behind the point.
[[nodiscard]] inline std::string fixed(double value, int digits) {
    return analysis::draw::number(fixed_value(value, digits));
}

/// With all digits before the point and as many behind it as make `digits` in all.
[[nodiscard]] inline std::string significant(double value, int digits) {
    if (value == 0) { return "0"; }
    return fixed(value, std::max(0, digits - 1 - static_cast<int>(std::floor(std::log10(std::abs(value))))));
}

/// As printf writes one number: "%.2f".
[[nodiscard]] inline std::string formatted(char const* format, double value) {
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), format, value);
    return text.data();
}

template <class Value>
[[nodiscard]] std::string text_of(Value const& value) {
    if constexpr (std::is_integral_v<Value>) {
        return std::to_string(value);
    } else if constexpr (std::is_floating_point_v<Value>) {
        return analysis::draw::number(value);
    } else {
        return std::string{value};
    }
}

// ---- lines ---------------------------------------------------------------------------------------------------------

/// Comma-separated values.
[[nodiscard]] inline std::string csv_line(row const& values) {
    std::string result;
    for (auto const& value : values) {
        if (&value != &values.front()) { result += ','; }
        if (value.find_first_of(",\"\n") == std::string::npos) {
            result += value;
        } else {
            result += analysis::quoted_for_csv(value);
        }
    }
    return result + '\n';
}

[[nodiscard]] inline std::string markdown_line(row const& values) {
    std::string result;
    for (auto value : values) {
        for (auto at = value.find('|'); at != std::string::npos; at = value.find('|', at + 2)) {
            value.insert(at, 1, '\\');
        }
        (result += "| ") += value + ' ';
    }
    return result + "|\n";
}

/// A value at the right end of `width` signs; at the left end where that is negative.
[[nodiscard]] inline std::string aligned(std::string const& value, int width) {
    auto const signs = static_cast<std::size_t>(std::abs(width));
    std::string const fill(signs - std::min(signs, value.size()), ' ');
    return width < 0 ? value + fill : fill + value;
}

// ---- tables --------------------------------------------------------------------------------------------------------

/// A table, and the name of the file that it is written to.
class sheet {
public:
    using row = tables::row;

    sheet(std::string file, row columns) : file_{std::move(file)}, columns_{std::move(columns)} {}

    template <class... Values>
    void add(Values const&... values) {
        rows_.push_back({text_of(values)...});
    }
    void add_row(row values) { rows_.push_back(std::move(values)); }

    [[nodiscard]] std::string const& file() const { return file_; }
    [[nodiscard]] row const& columns() const { return columns_; }
    [[nodiscard]] std::vector<row> const& rows() const { return rows_; }

    /// Comma-separated values.
    [[nodiscard]] std::string text() const {
        auto result = csv_line(columns_);
        for (auto const& each : rows_) { result += csv_line(each); }
        return result;
    }

    /// The first `shown` rows as Markdown.
    [[nodiscard]] std::string markdown(std::size_t shown = static_cast<std::size_t>(-1)) const {
        auto result = markdown_line(columns_) + markdown_line(row(columns_.size(), "---"));
        for (std::size_t i = 0; i < std::min(shown, rows_.size()); ++i) { result += markdown_line(rows_[i]); }
        return result + '\n';
    }

private:
    std::string file_;
    row columns_;
    std::vector<row> rows_;
};

/// A file of comma-separated values, of which each row is written as soon as it is known.
class csv_file {
public:
    csv_file(std::string const& file, row const& columns) : out_{file} { out_ << csv_line(columns); }

    template <class... Values>
    void add(Values const&... values) {
        add_row({text_of(values)...});
    }
    void add_row(row const& values) { out_ << csv_line(values) << std::flush; }

    [[nodiscard]] bool is_good() const { return out_.good(); }

private:
    std::ofstream out_;
};

/// "[text](address)"
[[nodiscard]] inline std::string link_to(std::string const& address, std::string const& text) {
    return '[' + text + "](" + address + ')';
}

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
