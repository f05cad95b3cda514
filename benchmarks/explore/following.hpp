// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tuple>

#include <tutti/generator/named.hpp>

namespace tutti::explore {

/// What each of the generators means for a collective.
template <class Collective, class... Generators>
[[nodiscard]] auto following(Collective which, std::tuple<Generators...> const& all) {
    return std::apply([which](auto const&... each) { return std::tuple{algorithm_for(which, each)...}; }, all);
}

}  // namespace tutti::explore
