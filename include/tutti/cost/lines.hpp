// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <istream>
#include <iterator>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <tutti/cost/unit.hpp>

namespace tutti::model_file {

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

}  // namespace tutti::model_file
