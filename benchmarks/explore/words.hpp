// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include <tutti/generator.hpp>

#include "../support/options.hpp"

namespace tutti::explore {

using command_line::listed;
using command_line::nearest;
using command_line::read_list;
using command_line::read_name;
using command_line::read_number;
using command_line::reader;
using command_line::refusal;

inline constexpr std::array<std::string_view, 3> port_names{"unidirectional", "bidirectional", "overlapped"};
inline constexpr std::array<std::string_view, 5> format_names{"text", "json", "svg", "trace", "goal"};
inline constexpr std::array<std::string_view, 2> answer_names{"no", "yes"};

[[nodiscard]] constexpr std::string_view name(ports model) { return port_names[static_cast<std::size_t>(model)]; }

/// "1 rank", "2 ranks"
[[nodiscard]] inline std::string counted(std::size_t count, std::string_view noun) {
    return std::to_string(count) + ' ' + std::string{noun} + (count == 1 ? "" : "s");
}

}  // namespace tutti::explore
