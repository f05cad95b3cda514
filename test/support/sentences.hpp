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

// Whether an exception is this sentence, begins with it, or has it somewhere: for BOOST_CHECK_EXCEPTION.

[[nodiscard]] inline auto says(std::string const& text) {
    return [text](std::exception const& thrown) { return thrown.what() == text; };
}
[[nodiscard]] inline auto begins(std::string const& text) {
    return [text](std::exception const& thrown) { return std::string{thrown.what()}.starts_with(text); };
}
[[nodiscard]] inline auto mentions(std::string const& text) {
    return [text](std::exception const& thrown) { return std::string{thrown.what()}.find(text) != std::string::npos; };
}

[[nodiscard]] inline bool contains(std::string const& text, std::string const& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace support
