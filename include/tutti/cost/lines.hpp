// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <istream>
#include <iterator>
#include <map>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <tutti/language.hpp>

namespace tutti::pricing::model_file {

/// What a number in a file counts.
enum class dimension { time, time_per_byte, transfers, bytes };

/// A unit is ten to the power `exponent` of what programs count in: seconds, seconds per byte, times, or bytes.
struct unit {
    std::string_view name;
    dimension counts;
    int exponent;
};

inline constexpr std::array units{
    unit{"us", dimension::time, -6},
    unit{"ns/B", dimension::time_per_byte, -9},
    unit{"transfers", dimension::transfers, 0},
    unit{"B", dimension::bytes, 0},
    unit{"s", dimension::time, 0},
    unit{"ms", dimension::time, -3},
    unit{"ns", dimension::time, -9},
    unit{"s/B", dimension::time_per_byte, 0},
    unit{"us/B", dimension::time_per_byte, -6},
};

/// The unit of a name, if it counts what is wanted.
[[nodiscard]] constexpr std::optional<unit> find_unit(std::string_view name, dimension wanted) {
    for (auto const& each : units) {
        if (each.name == name && each.counts == wanted) { return each; }
    }
    return std::nullopt;
}

/// The unit that files are written in.
[[nodiscard]] constexpr unit unit_of(dimension wanted) {
    for (auto const& each : units) {
        if (each.counts == wanted) { return each; }
    }
    return units.front();
}

/// The shortest decimal number that `number_of` turns into `value` again: the point is moved in the text, where nothing
/// is rounded.
[[nodiscard]] inline std::string decimal(double value, unit in) {
    std::array<char, 32> memory{};
    auto const end = std::to_chars(memory.begin(), memory.end(), value, std::chars_format::scientific).ptr;
    std::string_view const text{memory.data(), static_cast<std::size_t>(end - memory.data())};
    auto const e = text.find('e');
    if (value == 0 || e == text.npos) { return value == 0 ? "0" : std::string{text}; }
    std::string digits{text.substr(0, e)};
    std::string const sign = digits.front() == '-' ? "-" : "";
    std::erase_if(digits, [](char c) { return c == '-' || c == '.'; });
    auto const exponent = std::stoi(std::string{text.substr(e + 1)}) - in.exponent;
    auto const count = static_cast<int>(digits.size());
    if (exponent < -5 || exponent > 15) {
        digits.insert(1, count > 1 ? "." : "");
        return sign + digits + 'e' + std::to_string(exponent);
    }
    if (exponent < 0) { return sign + "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits; }
    if (count <= exponent + 1) {
        return sign + digits + std::string(static_cast<std::size_t>(exponent + 1 - count), '0');
    }
    return sign + digits.insert(static_cast<std::size_t>(exponent + 1), ".");
}

/// The value of a decimal number in a unit; nothing if it is none, or not finite.
[[nodiscard]] inline std::optional<double> number_of(std::string_view text, unit in) {
    auto const e = std::min(text.find_first_of("eE"), text.size());
    int exponent = 0;
    if (e != text.size()) {
        auto const from = text.data() + e + 1 + (text.substr(e + 1).starts_with('+') ? 1 : 0);
        auto const read = std::from_chars(from, text.data() + text.size(), exponent);
        if (read.ec != std::errc{} || read.ptr != text.data() + text.size()) { return std::nullopt; }
    }
    if (std::abs(static_cast<long>(exponent)) > 1000) { return std::nullopt; }
    auto const moved = std::string{text.substr(0, e)} + 'e' + std::to_string(exponent + in.exponent);
    double result = 0;
    auto const read = std::from_chars(moved.data(), moved.data() + moved.size(), result);
    if (read.ec != std::errc{} || read.ptr != moved.data() + moved.size() || !language::is_finite(result)) {
        return std::nullopt;
    }
    return result;
}

/// A line of a file, in words.
struct line {
    std::string file;
    std::size_t number = 0;
    std::vector<std::string> words = {};

    [[noreturn]] void refuse(std::string const& why) const {
        throw std::runtime_error{"tutti: " + file + ":" + std::to_string(number) + ": " + why};
    }

    /// What stands before the number and its unit, the last two words.
    [[nodiscard]] std::string name() const {
        std::string result;
        for (std::size_t i = 0; i + 2 < words.size(); ++i) { result += (i == 0 ? "" : " ") + words[i]; }
        return result;
    }

    /// The number and its unit. Refuses what is no number, not finite, negative, or counts something else.
    [[nodiscard]] double quantity(dimension wanted) const {
        auto const expected = "a number and its unit, as in '1.5 " + std::string{unit_of(wanted).name} + "'";
        if (words.size() < 3) { refuse("the line has to end with " + expected); }
        auto const& number_word = words[words.size() - 2];
        auto const in = find_unit(words.back(), wanted);
        if (!in) { refuse("'" + words.back() + "' is no unit for it; the line has to end with " + expected); }
        auto const value = number_of(number_word, *in);
        if (!value) { refuse("'" + number_word + "' is not a finite number"); }
        if (*value < 0) { refuse("'" + number_word + "' is negative"); }
        return *value;
    }
};

/// What is done with a line, by its first word. Headers that have lines of their own add them.
using line_kinds = std::map<std::string, std::function<void(line const&)>, std::less<>>;

/// What a file may have: more is none of ours, and would take memory and time without end.
inline constexpr std::size_t most_lines = 10'000;
inline constexpr std::size_t longest_line = 10'000;

/// The next line, without its end; false if there is none. Refuses one that is too long before all of it is read.
inline bool read_line(std::istream& in, line const& now, std::string& text) {
    text.clear();
    char next = '\0';
    while (in.get(next) && next != '\n') {
        if (text.size() == longest_line) {
            now.refuse("the line has more than " + std::to_string(longest_line) + " characters");
        }
        text += next;
    }
    return in || !text.empty();
}

/// Hands each line to its kind, but for empty ones; from a word that begins with # on, a line is a comment. The end of
/// the file, as a line that can be refused.
inline line read_lines(std::istream& in, std::string const& file, line_kinds const& kinds) {
    line now{.file = file};
    for (std::string text;;) {
        ++now.number;
        if (!read_line(in, now, text)) { break; }
        if (now.number > most_lines) { now.refuse("the file has more than " + std::to_string(most_lines) + " lines"); }
        std::istringstream words{text};
        now.words.assign(std::istream_iterator<std::string>{words}, {});
        auto const comment = [](std::string const& word) { return word.starts_with('#'); };
        now.words.erase(std::ranges::find_if(now.words, comment), now.words.end());
        if (now.words.empty()) { continue; }
        auto const kind = kinds.find(now.words.front());
        if (kind == kinds.end()) {
            std::string known;
            for (auto const& [word, use] : kinds) { known += (known.empty() ? "" : ", ") + word; }
            now.refuse("'" + now.words.front() + "' begins no line that is known: " + known);
        }
        kind->second(now);
    }
    if (in.bad()) { now.refuse("the file cannot be read any further"); }
    now.words.clear();
    return now;
}

}  // namespace tutti::pricing::model_file
