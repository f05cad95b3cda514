// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <tutti/analysis/draw/number.hpp>

namespace tutti::charts {

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
            return draw::number(static_cast<double>(value));
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
        for (auto const letter : value) { result += letter == '"' ? std::string{"\"\""} : std::string{letter}; }
        return result + '"';
    }

    std::string file_;
    row columns_;
    std::vector<row> rows_;
};

}  // namespace tutti::charts
