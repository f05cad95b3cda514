// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include <tutti/generator.hpp>

#include "refusal.hpp"

namespace tutti::explore {

inline constexpr std::array<std::string_view, 3> port_names{"unidirectional", "bidirectional", "overlapped"};
inline constexpr std::array<std::string_view, 5> format_names{"text", "json", "svg", "trace", "goal"};
inline constexpr std::array<std::string_view, 2> answer_names{"no", "yes"};

[[nodiscard]] constexpr std::string_view name(ports model) { return port_names[static_cast<std::size_t>(model)]; }

/// "1 rank", "2 ranks"
[[nodiscard]] inline std::string counted(std::size_t count, std::string_view noun) {
    return std::to_string(count) + ' ' + std::string{noun} + (count == 1 ? "" : "s");
}

/// The position of `text` among `names`; `what` is asked for.
template <std::size_t N>
[[nodiscard]] std::size_t read_name(std::string const& what, std::string_view text,
                                    std::array<std::string_view, N> const& names) {
    auto const found = std::find(names.begin(), names.end(), text);
    if (found == names.end()) { throw refusal{what + " knows " + listed(names) + ", not '" + std::string{text} + "'"}; }
    return static_cast<std::size_t>(found - names.begin());
}

}  // namespace tutti::explore
