// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <array>
#include <charconv>
#include <cstddef>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <tutti/cost/choice_rule.hpp>
#include <tutti/cost/lines.hpp>

/// A rule in a file is a line, of which what stands in brackets may be left out:
///
///     choose COLLECTIVE FROM TO ALGORITHM [segment BYTES] [ports MESSAGES] [ranks P]
///
/// TO may be -, for no end.
namespace tutti::model_file {

/// What may stand behind the name of the algorithm.
struct choice_detail {
    std::string_view word;
    std::size_t choice_rule::*value;
};
inline constexpr std::array choice_details{choice_detail{"segment", &choice_rule::segment},
                                           choice_detail{"ports", &choice_rule::ports},
                                           choice_detail{"ranks", &choice_rule::ranks}};

[[nodiscard]] inline std::size_t whole_number(line const& now, std::string const& word, std::size_t least = 0) {
    std::size_t result = 0;
    auto const [end, error] = std::from_chars(word.data(), word.data() + word.size(), result);
    if (error != std::errc{} || end != word.data() + word.size() || result < least) {
        now.refuse("'" + word + "' is no whole number" + (least == 0 ? "" : " of at least " + std::to_string(least)));
    }
    return result;
}

/// The rule of a line that begins with `choose`. Refuses what is none.
[[nodiscard]] inline choice_rule rule_in(line const& now) {
    auto const& words = now.words;
    if (words.size() < 5) {
        now.refuse("the line has to say for which collective and bytes to choose what, as in "
                   "'choose all_reduce 4096 65536 ring'");
    }
    choice_rule result{.collective = words[1],
                       .from = whole_number(now, words[2]),
                       .to = words[3] == "-" ? choice_rule::no_end : whole_number(now, words[3]),
                       .algorithm = {}};
    std::size_t at = 4;
    auto const detail = [&] {
        auto found = choice_details.begin();
        while (found != choice_details.end() && found->word != words[at]) { ++found; }
        return found;
    };
    for (; at != words.size() && detail() == choice_details.end(); ++at) {
        result.algorithm += (at == 4 ? "" : " ") + words[at];
    }
    for (; at != words.size(); at += 2) {
        auto const found = detail();
        if (found == choice_details.end()) { now.refuse("'" + words[at] + "' says nothing about an algorithm"); }
        auto& value = result.*found->value;
        if (value != 0) { now.refuse("'" + words[at] + "' is said twice"); }
        if (at + 1 == words.size()) { now.refuse("'" + words[at] + "' needs a number"); }
        value = whole_number(now, words[at + 1], 1);
    }
    if (auto const flaw = invalid_reason(result); !flaw.empty()) { now.refuse(flaw); }
    return result;
}

/// The line of a rule, without its end.
[[nodiscard]] inline std::string line_of(choice_rule const& rule) {
    auto result = "choose " + rule.collective + ' ' + std::to_string(rule.from) + ' ' +
                  (rule.to == choice_rule::no_end ? "-" : std::to_string(rule.to)) + ' ' + rule.algorithm;
    for (auto const& [word, value] : choice_details) {
        if (rule.*value != 0) { result += ' ' + std::string{word} + ' ' + std::to_string(rule.*value); }
    }
    return result;
}

}  // namespace tutti::model_file
