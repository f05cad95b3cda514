// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include <tutti/generator/all.hpp>
#include <tutti/generator/any_generator.hpp>
#include <tutti/node_map.hpp>
#include <tutti/problem.hpp>
#include <tutti/schedule.hpp>

namespace tutti::benchmark {

inline constexpr std::string_view automatic_name = "automatic";

/// An `any_generator` that calls take for every operator: whether the operator and the number of ranks fit is for the
/// caller to see.
template <class Collective>
struct named {
    generators::any_generator<Collective> generator;
    friend bool operator==(named const&, named const&) = default;
};

template <class Collective>
constexpr facts describe(Collective, std::type_identity<named<Collective>>) {
    return {.name = "named"};
}

template <class Collective>
[[nodiscard]] std::size_t blocks_for(Collective, named<Collective> const& of, std::size_t size, std::size_t bytes) {
    return of.generator.blocks(size, bytes);
}

template <class Collective>
[[nodiscard]] lazy_schedule generate(Collective, named<Collective> const& of, problem const& at) {
    return of.generator.schedule_of(at);
}

/// What a benchmark knows of an algorithm for `Collective`.
template <class Collective>
struct known_algorithm {
    std::string_view name;
    generators::any_generator<Collective> generator;
    std::function<bool(std::size_t size)> supports;
};

[[nodiscard]] inline std::vector<std::string> names_of_algorithms() {
    return []<class... As>(std::type_identity<std::tuple<As...>>) {
        return std::vector<std::string>{std::string{automatic_name},
                                        std::string{generators::name_of_algorithm<As>()}...};
    }(std::type_identity<generators::all_algorithms>{});
}

/// The algorithm of that name for a call of `Collective`, for the machine that the first call tells; null if it does
/// not implement the collective.
template <class Collective>
[[nodiscard]] known_algorithm<Collective> const* find_algorithm(std::string_view name, node_map const& nodes) {
    static auto const all = [&] {
        std::vector<known_algorithm<Collective>> result;
        generators::for_each_algorithm(Collective{}, [&]<class A>(A algorithm) {
            if constexpr (requires { algorithm.nodes; }) { algorithm.nodes = nodes; }
            generators::any_generator<Collective> const generator{generators::algorithm_for(Collective{}, algorithm)};
            result.push_back({generators::name_of_algorithm<A>(), generator, generator.stated().supports});
            if constexpr (requires { generators::fits(algorithm, std::size_t{}); }) {
                result.back().supports = [algorithm](std::size_t size) { return generators::fits(algorithm, size); };
            }
        });
        return result;
    }();
    auto const found = std::find_if(all.begin(), all.end(), [&](auto const& each) { return each.name == name; });
    return found == all.end() ? nullptr : &*found;
}

}  // namespace tutti::benchmark
