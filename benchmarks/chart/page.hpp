// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

#include <tutti/analysis/draw/number.hpp>
#include <tutti/analysis/draw/svg_page.hpp>

#include "../support/options.hpp"

/// Pieces of a page of HTML that needs no other file and no script, its tables and the folder that it lies in.
namespace tutti::charts {

[[nodiscard]] inline double fixed_value(double value, int digits) {
    auto const scale = std::pow(10.0, digits);
    return std::round(value * scale) / scale;
}

[[nodiscard]] inline std::string fixed(double value, int digits) { return draw::number(fixed_value(value, digits)); }

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

/// `text` inside of `tag`, which may have attributes.
[[nodiscard]] inline std::string tagged(std::string_view tag, std::string_view text) {
    auto const end = tag.substr(0, tag.find(' '));
    return '<' + std::string{tag} + '>' + draw::escaped(text) + "</" + std::string{end} + ">";
}

[[nodiscard]] inline std::string paragraph(std::string_view text) { return tagged("p", text) + '\n'; }

[[nodiscard]] inline std::string link_to(std::string_view address, std::string_view text) {
    return "<a href=\"" + draw::escaped(address) + "\">" + draw::escaped(text) + "</a>";
}

/// A part of a page; `note` is HTML that stands beside its title in the contents.
struct part {
    std::string title;
    std::string body;
    std::string note = {};
};

/// A page with a table of contents; `style` is added to what all pages have.
[[nodiscard]] inline std::string document(std::string_view title, std::string_view style, std::string_view introduction,
                                          std::vector<part> const& parts) {
    constexpr std::string_view of_all_pages =
        R"(body { max-width: 62rem; margin: 0 auto; padding: 1.5rem; color: #20262e; background: #fff;
       font: 16px/1.5 Helvetica, Arial, sans-serif; }
h1 { font-size: 1.7rem; }
h2 { margin-top: 3.2rem; padding-top: 1rem; border-top: 1px solid #d4d8de; font-size: 1.3rem; }
a { color: #1d4675; }
figure { margin: 1.2rem 0; }
figure svg { display: block; max-width: 100%; height: auto; }
figcaption { color: #4a5260; font-size: .9rem; }
nav ul { padding-left: 1.2rem; columns: 2 24rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; margin: .8rem 0; font-size: .88rem; }
th, td { padding: .25rem .6rem; border-bottom: 1px solid #e3e6ea; text-align: left; vertical-align: top; }
th { border-bottom: 2px solid #b7bec8; white-space: nowrap; }
summary { cursor: pointer; color: #1d4675; }
)";
    std::string contents;
    std::string bodies;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        auto const id = "part-" + std::to_string(i + 1);
        contents += "<li>" + link_to('#' + id, parts[i].title) + ' ' + parts[i].note + "</li>\n";
        bodies += tagged("h2 id=\"" + id + "\"", parts[i].title) + '\n' + parts[i].body;
    }
    auto result = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                  "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n" +
                  tagged("title", title) + "\n<style>\n";
    result.append(of_all_pages).append(style).append("</style>\n</head>\n<body>\n");
    result.append(tagged("h1", title)).append("\n").append(introduction);
    return result + "<nav><ul>\n" + contents + "</ul></nav>\n" + bodies + "</body>\n</html>\n";
}

/// The first `shown` rows.
[[nodiscard]] inline std::string table_of(sheet const& one, std::size_t shown) {
    std::string result = "<div class=\"scroll\"><table>\n<tr>";
    for (auto const& each : one.columns()) { result += tagged("th", each); }
    result += "</tr>\n";
    for (std::size_t i = 0; i < std::min(shown, one.rows().size()); ++i) {
        result += "<tr>";
        for (auto const& each : one.rows()[i]) { result += tagged("td", each); }
        result += "</tr>\n";
    }
    return result + "</table></div>\n";
}

[[nodiscard]] inline std::string table_of(sheet const& one) { return table_of(one, one.rows().size()); }

using command_line::usage_error;

/// Where the files of a page are written. Made if it is not there; throws `usage_error` where that cannot be done.
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

}  // namespace tutti::charts
