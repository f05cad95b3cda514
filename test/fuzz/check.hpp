// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

// What all targets of libFuzzer need: one calls LLVMFuzzerTestOneInput with bytes of its own making, again and again. A
// target ends the program where what it promises does not hold.

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size);

namespace fuzz {

inline void require(bool holds, char const* what) {
    if (!holds) {
        std::fprintf(stderr, "fuzz: %s\n", what);
        std::abort();
    }
}

/// What is refused is refused in a sentence of tutti's.
inline void require_sentence(std::string_view said, std::string_view begin = "tutti: ") {
    require(said.starts_with(begin) && said.size() < 20'000, "an error says something else");
}

[[nodiscard]] inline std::string_view text_of(std::uint8_t const* data, std::size_t size) {
    return {reinterpret_cast<char const*>(data), size};
}

}  // namespace fuzz
