// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tuple>

#include <tutti/generator/scatter.hpp>

#include "following.hpp"

namespace tutti::explore {

[[nodiscard]] inline auto generators_of(collective::scatter) { return std::tuple{linear{}, binomial{}}; }

[[nodiscard]] inline auto generators_of(collective::gather which) {
    return following(which, generators_of(collective::scatter{}));
}

}  // namespace tutti::explore
