// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include <tutti/collective/perform.hpp>
#include <tutti/generator.hpp>

namespace tutti {

/// A function that says how a call is performed.
template <class Invocation>
[[nodiscard]] std::function<std::string()> explanation(Invocation const& what) {
    (void)what;
    return [] { return std::string{}; };
}

}  // namespace tutti
