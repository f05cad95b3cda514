// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <concepts>
#include <cstddef>
#include <tuple>

#include <tutti/generator/reverse.hpp>
#include <tutti/generator/then.hpp>

namespace tutti {

/// How many messages a rank has under way at once, of generators that have that as a parameter; 0 of others.
template <class Generator>
[[nodiscard]] constexpr std::size_t ports_of(Generator const& generator) {
    if constexpr (requires { { generator.ports } -> std::convertible_to<std::size_t>; }) {
        return generator.ports;
    } else if constexpr (requires { { generator.ways } -> std::convertible_to<std::size_t>; }) {
        return generator.ways - 1;  // the other parts of a group
    } else {
        return 0;
    }
}
template <class Generator>
[[nodiscard]] constexpr std::size_t ports_of(reversed<Generator> const& all) {
    return ports_of(all.generator);
}
template <class... Stages>
[[nodiscard]] constexpr std::size_t ports_of(chained<Stages...> const& all) {
    return ports_of(std::get<0>(all.stages));
}

}  // namespace tutti
