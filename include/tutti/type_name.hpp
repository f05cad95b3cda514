// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace tutti {

/// The name of a type, as this compiler writes it: in sentences, and where ranks compare their calls.
template <class T>
[[nodiscard]] constexpr std::string_view type_name() {
    std::string_view const signature = __PRETTY_FUNCTION__;
    auto const first = signature.find("T = ") + 4;
    return signature.substr(first, std::min(signature.find(';', first), signature.rfind(']')) - first);
}

/// The same on all machines: 64-bit FNV-1a.
[[nodiscard]] constexpr std::uint64_t hash_of_name(std::string_view name) {
    std::uint64_t result = 0xcbf29ce484222325U;
    for (char const each : name) { result = (result ^ static_cast<unsigned char>(each)) * 0x100000001b3U; }
    return result;
}

}  // namespace tutti
