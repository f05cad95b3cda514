// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "refusal.hpp"

namespace tutti::explore {

/// The number that `text` is, all of it; `what` names it in the message if it is none, or below `least`.
template <class Number>
[[nodiscard]] Number read_number(std::string const& what, std::string_view text, Number least = 0) {
    constexpr bool whole = std::integral<Number>;
    Number result{};
    auto const end = text.data() + text.size();
    auto const [stop, code] = std::from_chars(text.data(), end, result);
    if (code == std::errc::result_out_of_range && stop == end) {
        throw refusal{what + ": " + std::string{text} + " is too large"};
    }
    bool finite = true;
    if constexpr (!whole) { finite = std::isfinite(result); }
    if (text.empty() || code != std::errc{} || stop != end || !finite || result < least) {
        throw refusal{what + " needs a " + (whole ? "whole " : "") + "number that is " +
                      (least == 0 ? "not negative" : "at least " + std::to_string(least)) + ", not '" +
                      std::string{text} + "'"};
    }
    return result;
}

/// What `read` makes of the parts of "3,0,5"; nothing for an empty text.
template <class Value, class Read>
[[nodiscard]] std::vector<Value> read_list(std::string_view text, Read read) {
    std::vector<Value> result;
    for (std::size_t first = 0; !text.empty() && first <= text.size();) {
        auto const last = std::min(text.find(',', first), text.size());
        result.push_back(read(text.substr(first, last - first)));
        first = last + 1;
    }
    return result;
}

template <class Number>
[[nodiscard]] std::vector<Number> read_numbers(std::string const& what, std::string_view text) {
    return read_list<Number>(text, [&](std::string_view each) { return read_number<Number>(what, each); });
}

}  // namespace tutti::explore
