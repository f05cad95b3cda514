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
#include <tutti/generator/all_reduce.hpp>
#include <tutti/generator/node_aware.hpp>
#include <tutti/generator/reduce.hpp>
#include <tutti/generator/reduce_scatter.hpp>
#include <tutti/generator/scan.hpp>
#include <tutti/generator/scatter.hpp>
#include <tutti/node_map.hpp>
#include <tutti/generator/named.hpp>

#include "named.hpp"

namespace tutti::benchmark {

/// tutti's algorithms that can be measured beside `automatic`.
using algorithms =
    std::tuple<linear, binomial, pipeline, binary_tree, two_tree, butterfly, round_optimal, bi_greedy, uni_greedy,
               fibonacci, postal_tree, ring, sorted_linear_tree, front_loaded_ring, recursive_doubling,
               recursive_multiplying, direct_exchange, direct, doubling, split, short_vector, bucket, pairwise, mesh,
               ordered_mesh, circulant, ported_circulant, ordered, hierarchical, multi_lane>;

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
    }(std::type_identity<algorithms>{});
}

/// The algorithms that a call of `Collective` may name, for the machine that the first call tells.
template <class Collective>
[[nodiscard]] std::vector<known_algorithm<Collective>> const& algorithms_of(node_map const& nodes) {
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
    }(std::type_identity<algorithms>{});
    return all;
}

/// The one of that name; null if it does not implement the collective.
template <class Collective>
[[nodiscard]] known_algorithm<Collective> const* find_algorithm(std::string_view name, node_map const& nodes) {
    auto const& all = algorithms_of<Collective>(nodes);
    auto const found = std::find_if(all.begin(), all.end(), [&](auto const& each) { return each.name == name; });
    return found == all.end() ? nullptr : &*found;
}

}  // namespace tutti::benchmark
