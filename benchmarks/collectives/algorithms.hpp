// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include <tutti/generator.hpp>
#include <tutti/generator/all.hpp>
#include <tutti/generator/named.hpp>
#include <tutti/node_map.hpp>

#include "named.hpp"

namespace tutti::benchmark {

inline constexpr std::string_view automatic_name = "automatic";

/// Under which users know the algorithm: the same for all collectives that it implements.
template <class A>
[[nodiscard]] constexpr std::string_view name_of_algorithm() {
    if constexpr (generator_for<A, collective::reduce>) {
        return facts_of<collective::reduce, A>.name;
    } else if constexpr (generator_for<A, collective::all_reduce>) {
        return facts_of<collective::all_reduce, A>.name;
    } else if constexpr (generator_for<A, collective::inclusive_scan>) {
        return facts_of<collective::inclusive_scan, A>.name;
    } else {
        return facts_of<collective::reduce_scatter, A>.name;
    }
}

[[nodiscard]] inline std::vector<std::string> names_of_algorithms() {
    return []<class... As>(std::type_identity<std::tuple<As...>>) {
        return std::vector<std::string>{std::string{automatic_name}, std::string{name_of_algorithm<As>()}...};
    }(std::type_identity<all_algorithms>{});
}

/// The algorithms that a call of `Collective` may name, for the machine that the first call tells.
template <class Collective>
[[nodiscard]] std::vector<known_algorithm<Collective>> const& measured_algorithms(node_map const& nodes) {
    static auto const all = [&]<class... As>(std::type_identity<std::tuple<As...>>) {
        std::vector<known_algorithm<Collective>> result;
        auto const add = [&]<class A>(std::type_identity<A>) {
            if constexpr (implements<A, Collective>) {
                A algorithm{};
                if constexpr (requires { algorithm.nodes; }) { algorithm.nodes = nodes; }
                result.push_back(known(Collective{}, name_of_algorithm<A>(), algorithm_for(Collective{}, algorithm)));
                if constexpr (requires { fits(algorithm, std::size_t{}); }) {
                    result.back().supports = [algorithm](std::size_t size) { return fits(algorithm, size); };
                }
            }
        };
        (add(std::type_identity<As>{}), ...);
        return result;
    }(std::type_identity<all_algorithms>{});
    return all;
}

/// The one of that name; null if it does not implement the collective.
template <class Collective>
[[nodiscard]] known_algorithm<Collective> const* find_algorithm(std::string_view name, node_map const& nodes) {
    auto const& all = measured_algorithms<Collective>(nodes);
    auto const found = std::find_if(all.begin(), all.end(), [&](auto const& each) { return each.name == name; });
    return found == all.end() ? nullptr : &*found;
}

}  // namespace tutti::benchmark
