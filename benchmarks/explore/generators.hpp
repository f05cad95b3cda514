// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tuple>
#include <type_traits>

#include <tutti/generator.hpp>
#include <tutti/generator/all.hpp>

namespace tutti::explore {

/// What each of the generators means for a collective.
template <class Collective, class... Generators>
[[nodiscard]] auto following(Collective which, std::tuple<Generators...> const& all) {
    return std::apply([which](auto const&... each) { return std::tuple{algorithm_for(which, each)...}; }, all);
}

/// The algorithms of a collective; those of a broadcast, all_gather or gather are reversed.
template <class Collective>
[[nodiscard]] auto generators_of(Collective which) {
    if constexpr (requires { typename opposite_t<Collective>; } && !std::is_same_v<Collective, collective::scatter>) {
        return following(which, algorithms_of(opposite_t<Collective>{}));
    } else {
        return algorithms_of(which);
    }
}

/// All-reduces that are no reduce then a broadcast: a reduce_scatter then an all_gather, and those that follow from
/// neither.
[[nodiscard]] inline auto all_reduces_in_parts() {
    auto const meaning = []<class A>(A const& of) {
        if constexpr (generator_for<A, collective::reduce>) {
            return std::tuple{};
        } else if constexpr (generator_for<A, collective::reduce_scatter> || generator_for<A, collective::all_reduce>) {
            return std::tuple{algorithm_for(collective::all_reduce{}, of)};
        } else {
            return std::tuple{};
        }
    };
    return [&]<class... As>(std::type_identity<std::tuple<As...>>) { return std::tuple_cat(meaning(As{})...); }(
        std::type_identity<all_algorithms>{});
}

/// A reduce then a broadcast.
[[nodiscard]] inline auto all_reduces_through_root() {
    return following(collective::all_reduce{}, algorithms_of(collective::reduce{}));
}

}  // namespace tutti::explore
