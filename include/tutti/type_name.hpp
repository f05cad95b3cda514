// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <string_view>

namespace tutti {

/// The name of a type in messages.
template <class T>
[[nodiscard]] constexpr std::string_view type_name() {
    std::string_view const signature = __PRETTY_FUNCTION__;
    auto const first = signature.find("T = ") + 4;
    return signature.substr(first, std::min(signature.find(';', first), signature.rfind(']')) - first);
}

}  // namespace tutti
