// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <exception>
#include <string>

/// What errors say.
namespace support {

/// The message of the exception that `action` throws, "" if it throws nothing.
template <class Action>
[[nodiscard]] std::string sentence_of(Action action) {
    try {
        action();
        return "";
    } catch (std::exception const& thrown) { return thrown.what(); }
}

[[nodiscard]] inline bool contains(std::string const& text, std::string const& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace support
