// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include <range/v3/range/conversion.hpp>

#include <tutti/generator/named.hpp>

namespace support {

/// A generator whose type is forgotten, so that what is tested with many generators is compiled once.
struct erased_generator {
    struct steps_of_rank {
        std::size_t rounds;
        std::vector<tutti::step> steps;
    };

    std::string name;
    std::function<steps_of_rank(tutti::problem const&)> steps;
};

template <class Collective>
constexpr tutti::facts describe(Collective, std::type_identity<erased_generator>) {
    return {.name = "erased_generator"};
}

template <class Collective>
[[nodiscard]] std::string name_of(Collective, erased_generator const& generator) {
    return generator.name;
}

template <class Collective>
[[nodiscard]] auto generate(Collective, erased_generator const& generator, tutti::problem const& at) {
    auto made = generator.steps(at);
    return tutti::schedules::stored_schedule(made.rounds, std::move(made.steps));
}

template <class Collective, tutti::generators::generator_for<Collective> Generator>
[[nodiscard]] erased_generator erase(Collective which, Generator const& generator) {
    using tutti::name_of;
    return {name_of(which, generator), [which, generator](tutti::problem const& at) {
                auto const all = generate(which, generator, at);
                return erased_generator::steps_of_rank{all.rounds(), ranges::to<std::vector>(all)};
            }};
}

}  // namespace support
