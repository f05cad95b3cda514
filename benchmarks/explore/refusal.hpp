// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace tutti::explore {

/// What the command line asks for cannot be done: one clause that says why and, where possible, what to write.
class refusal : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// "a, b, c"
template <class Range>
[[nodiscard]] std::string listed(Range const& names) {
    std::string result;
    for (auto const& name : names) { result += std::string{result.empty() ? "" : ", "} + std::string{name}; }
    return result;
}

}  // namespace tutti::explore
