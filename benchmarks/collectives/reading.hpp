// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace tutti::benchmark {

/// A mistake in the command line, which all ranks see alike.
struct usage_error : std::invalid_argument {
    using invalid_argument::invalid_argument;
};

namespace reading {

[[noreturn]] inline void refuse(std::string const& what) { throw usage_error{"tutti: " + what}; }

[[nodiscard]] inline std::vector<std::string> items(std::string_view text) {
    std::vector<std::string> result;
    for (std::size_t first = 0; first <= text.size();) {
        auto const last = std::min(text.find(',', first), text.size());
        result.emplace_back(text.substr(first, last - first));
        first = last + 1;
    }
    return result;
}

[[nodiscard]] inline std::string joined(std::vector<std::string> const& names) {
    std::string result;
    for (auto const& name : names) { result += (result.empty() ? "" : ", ") + name; }
    return result;
}

/// Each of `known` that `text` lists, once.
[[nodiscard]] inline std::vector<std::string> choice(std::string const& option, std::string_view text,
                                                     std::vector<std::string> const& known) {
    auto const wanted = items(text);
    for (auto const& name : wanted) {
        if (std::find(known.begin(), known.end(), name) == known.end()) {
            refuse(option + " does not know '" + name + "' here; there are: " + joined(known));
        }
    }
    std::vector<std::string> result;
    std::copy_if(known.begin(), known.end(), std::back_inserter(result), [&](std::string const& name) {
        return std::find(wanted.begin(), wanted.end(), name) != wanted.end();
    });
    return result;
}

template <class Number>
[[nodiscard]] Number number(std::string const& option, std::string_view text, int least, Number most) {
    Number result{};
    auto const [end, code] = std::from_chars(text.data(), text.data() + text.size(), result);
    if (code == std::errc::result_out_of_range || (code == std::errc{} && result > most)) {
        refuse(option + " cannot be '" + std::string{text} + "'; that is more than can be");
    }
    if (code != std::errc{} || end != text.data() + text.size() || !(result >= static_cast<Number>(least))) {
        refuse(option + " cannot be '" + std::string{text} + "'; it is a number of at least " + std::to_string(least));
    }
    return result;
}

template <class Number>
inline constexpr Number largest = std::numeric_limits<Number>::max();

using value_reader = std::function<void(std::string const& option, std::string const& value)>;
using options_with_value = std::map<std::string, value_reader>;
using options_alone = std::map<std::string, std::function<void(std::string const& option)>>;

/// Reads `--name value`, `--name=value` and `--name`. Throws usage_error for what is in neither list.
inline void read(std::vector<std::string> const& arguments, options_with_value const& with_value,
                 options_alone const& alone) {
    for (auto at = arguments.begin(); at != arguments.end(); ++at) {
        auto const equals = at->find('=');
        auto const name = at->substr(0, equals);
        if (auto const flag = alone.find(*at); flag != alone.end()) {
            flag->second(name);
        } else if (auto const option = with_value.find(name); option == with_value.end()) {
            refuse("there is no option " + *at + "; --help lists them");
        } else if (equals != std::string::npos) {
            option->second(name, at->substr(equals + 1));
        } else if (at + 1 != arguments.end()) {
            option->second(name, *++at);
        } else {
            refuse(name + " needs a value");
        }
    }
}

}  // namespace reading

}  // namespace tutti::benchmark
