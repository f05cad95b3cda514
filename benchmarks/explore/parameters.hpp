// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "notation.hpp"

namespace tutti::explore {

/// A public data member of a generator, or of a generator inside it.
struct parameter {
    std::string_view name;
    std::string value;
    bool whole;                                      ///< counts in whole numbers
    std::function<void(std::string const&)> assign;  ///< throws `refusal`
};

/// Every name that parameters of generators have.
inline constexpr auto parameter_names = std::tuple{
    std::pair{"segments", [](auto& g) -> decltype((g.segments)) { return g.segments; }},
    std::pair{"tcomm", [](auto& g) -> decltype((g.tcomm)) { return g.tcomm; }},
    std::pair{"tcomp", [](auto& g) -> decltype((g.tcomp)) { return g.tcomp; }},
    std::pair{"alpha", [](auto& g) -> decltype((g.alpha)) { return g.alpha; }},
    std::pair{"beta", [](auto& g) -> decltype((g.beta)) { return g.beta; }},
    std::pair{"gamma", [](auto& g) -> decltype((g.gamma)) { return g.gamma; }},
    std::pair{"transfer", [](auto& g) -> decltype((g.transfer)) { return g.transfer; }},
    std::pair{"combine", [](auto& g) -> decltype((g.combine)) { return g.combine; }},
    std::pair{"latency", [](auto& g) -> decltype((g.latency)) { return g.latency; }},
    std::pair{"gap", [](auto& g) -> decltype((g.gap)) { return g.gap; }},
    std::pair{"radix", [](auto& g) -> decltype((g.radix)) { return g.radix; }},
    std::pair{"ports", [](auto& g) -> decltype((g.ports)) { return g.ports; }},
    std::pair{"at_most", [](auto& g) -> decltype((g.at_most)) { return g.at_most; }},
    std::pair{"tau", [](auto& g) -> decltype((g.tau)) { return g.tau; }},
    std::pair{"rounds", [](auto& g) -> decltype((g.rounds)) { return g.rounds; }},
    std::pair{"factors", [](auto& g) -> decltype((g.factors)) { return g.factors; }},
    std::pair{"algorithms", [](auto& g) -> decltype((g.algorithms)) { return g.algorithms; }},
    std::pair{"placement", [](auto& g) -> decltype((g.placement)) { return g.placement; }},
    std::pair{"halvings", [](auto& g) -> decltype((g.halvings)) { return g.halvings; }},
    std::pair{"sub_segments", [](auto& g) -> decltype((g.sub_segments)) { return g.sub_segments; }},
    std::pair{"started", [](auto& g) -> decltype((g.started)) { return g.started; }},
    std::pair{"nodes", [](auto& g) -> decltype((g.nodes)) { return g.nodes; }},
    std::pair{"arrivals", [](auto& g) -> decltype((g.arrivals)) { return g.arrivals; }},
};

/// The parameters of a generator and of all it is made of. They refer to it.
template <class Generator>
void append_parameters(Generator& generator, std::vector<parameter>& to) {
    auto const consider = [&](auto const& named) {
        if constexpr (requires { named.second(generator); }) {
            auto& member = named.second(generator);
            using value = std::remove_reference_t<decltype(member)>;
            if constexpr (!std::is_const_v<value>) {  // constants of a generator have such names too
                to.push_back({named.first, notation<value>::write(member), notation<value>::whole,
                              [&member, what = std::string{"parameter "} + named.first](std::string const& text) {
                                  member = notation<value>::read(what, text);
                              }});
            }
        }
    };
    std::apply([&](auto const&... named) { (consider(named), ...); }, parameter_names);
    if constexpr (requires { generator.costs; }) { append_parameters(generator.costs, to); }
    if constexpr (requires { generator.generator; }) { append_parameters(generator.generator, to); }
    if constexpr (requires { generator.stages; }) {
        std::apply([&](auto&... stage) { (append_parameters(stage, to), ...); }, generator.stages);
    }
}

}  // namespace tutti::explore
