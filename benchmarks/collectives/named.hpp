// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <tutti/generator.hpp>
#include <tutti/problem.hpp>
#include <tutti/schedule.hpp>

namespace tutti::benchmark {

/// What a benchmark knows of an algorithm for `Collective`.
template <class Collective>
struct known_algorithm {
    std::string name;
    bool requires_commutative;
    std::function<bool(std::size_t size)> supports;
    std::function<std::size_t(std::size_t size, std::size_t bytes)> blocks;
    std::function<lazy_schedule(problem const&)> steps;
};

template <class Collective, generator_for<Collective> G>
[[nodiscard]] known_algorithm<Collective> known(Collective, std::string_view name, G const& generator) {
    constexpr auto stated = facts_of<Collective, G>;
    return {
        std::string{name}, stated.requires_commutative, stated.supports,
        [generator](std::size_t size, std::size_t bytes) { return blocks_for(Collective{}, generator, size, bytes); },
        [generator](problem const& at) { return stored(generate(Collective{}, generator, at)); }};
}

/// Any known algorithm as a generator: a call is compiled once for all of them. Whether the operator and the number of
/// ranks fit is for the caller to see.
template <class Collective>
struct named {
    known_algorithm<Collective> const* algorithm;
    friend bool operator==(named const&, named const&) = default;
};

template <class Collective>
constexpr facts describe(Collective, std::type_identity<named<Collective>>) {
    return {.name = "named"};
}

template <class Collective>
[[nodiscard]] std::size_t blocks_for(Collective, named<Collective> const& generator, std::size_t size,
                                     std::size_t bytes) {
    return generator.algorithm->blocks(size, bytes);
}

template <class Collective>
[[nodiscard]] lazy_schedule generate(Collective, named<Collective> const& generator, problem const& at) {
    return generator.algorithm->steps(at);
}

}  // namespace tutti::benchmark
