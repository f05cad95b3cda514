// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::analysis {

/// `text` with words in place of the characters that mean something where it will stand: in a file of JSON, XML or CSV.
[[nodiscard]] inline std::string escaped(std::string_view text,
                                         std::initializer_list<std::pair<char, std::string_view>> words) {
    std::string result;
    for (char const each : text) {
        auto const found = std::find_if(words.begin(), words.end(), [&](auto const& by) { return by.first == each; });
        found == words.end() ? result.append(1, each) : result.append(found->second);
    }
    return result;
}

[[nodiscard]] inline std::string quoted_for_json(std::string_view text) {
    return '"' + analysis::escaped(text, {{'"', "\\\""}, {'\\', "\\\\"}}) + '"';
}
/// For values that are separated by commas.
[[nodiscard]] inline std::string quoted_for_csv(std::string_view text) {
    return '"' + analysis::escaped(text, {{'"', "\"\""}}) + '"';
}

}  // namespace tutti::analysis
