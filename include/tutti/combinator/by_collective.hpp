// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <string>
#include <type_traits>

#include <tutti/generator/concept.hpp>

namespace tutti {

/// The generator that a `Choice` names for each collective: `Choice::of(Collective{})`.
template <class Choice>
struct by_collective {
    friend bool operator==(by_collective const&, by_collective const&) = default;
};

template <class Choice, class Collective>
concept chooses = requires { Choice::of(Collective{}); };

template <class Collective, class Choice>
    requires chooses<Choice, Collective>
constexpr facts describe(Collective, std::type_identity<by_collective<Choice>>) {
    return facts_of<Collective, decltype(Choice::of(Collective{}))>;
}

template <class Collective, class Choice>
[[nodiscard, gnu::cold]] std::string name_of(Collective which, by_collective<Choice> const&) {
    return name_of(which, Choice::of(which));
}

template <class Collective, class Choice>
[[nodiscard, gnu::cold]] std::size_t blocks_for(Collective which, by_collective<Choice> const&, std::size_t size,
                                                std::size_t bytes) {
    return blocks_for(which, Choice::of(which), size, bytes);
}

template <class Collective, class Choice>
    requires chooses<Choice, Collective>
[[nodiscard, gnu::cold]] lazy_schedule generate(Collective which, by_collective<Choice> const&, problem const& at) {
    return lazy(generate(which, Choice::of(which), at));
}

}  // namespace tutti
