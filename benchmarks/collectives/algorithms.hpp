// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <tutti/tutti.hpp>

namespace tutti::benchmark {

/// tutti's algorithms that can be measured, by the names under which users know them.
inline constexpr std::tuple algorithms{automatic{}, linear{},        binomial{},      pipeline{}, binary_tree{},
                                       two_tree{},  butterfly{},     round_optimal{}, bi_greedy{}, uni_greedy{},
                                       fibonacci{}, ring{},          recursive_doubling{}};

template <class A>
[[nodiscard]] std::string name_of_algorithm(A const& algorithm) {
    if constexpr (std::same_as<A, automatic>) {
        return "automatic";
    } else if constexpr (generator_for<A, collective::reduce>) {
        return name_of(collective::reduce{}, algorithm);
    } else {
        return name_of(collective::all_reduce{}, algorithm);
    }
}

[[nodiscard]] inline std::vector<std::string> names_of_algorithms() {
    return std::apply([](auto const&... each) { return std::vector{name_of_algorithm(each)...}; }, algorithms);
}

/// Whether a call of `Collective` may name the algorithm: it implements it, or its reversal or both in turn do.
template <class A, class Collective>
inline constexpr bool implements = std::same_as<A, automatic> || generator_for<A, Collective> ||
                                   (generator_for<A, collective::reduce> &&
                                    (std::same_as<Collective, collective::broadcast> ||
                                     std::same_as<Collective, collective::all_reduce>));

/// Calls `use(algorithm)` if a call of `Collective` may name the algorithm; otherwise says why it may not.
template <class Collective, bool Commutes, class A, class Use>
[[nodiscard]] std::string_view if_fitting(A const& algorithm, std::size_t size, Use&& use) {
    if constexpr (!implements<A, Collective>) {
        return "does not implement it";
    } else {
        if constexpr (!std::same_as<A, automatic>) {
            constexpr auto known = facts_of<Collective, decltype(algorithm_for(Collective{}, algorithm))>;
            if constexpr (known.requires_commutative && !Commutes) {
                return "needs a commutative operator";
            } else if (!known.supports(size)) {
                return "does not support this number of ranks";
            } else {
                use(algorithm);
            }
        } else {
            use(algorithm);
        }
        return {};
    }
}

}  // namespace tutti::benchmark
