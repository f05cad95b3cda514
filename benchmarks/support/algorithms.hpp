// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <string_view>
#include <tuple>
#include <type_traits>

#include <tutti/generator.hpp>
#include <tutti/generator/all.hpp>

namespace tutti::catalogue {

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

/// Calls `use` with every algorithm that a call of `Collective` may name; `algorithm_for` is what is meant by it.
template <class Collective, class Use>
void for_each_algorithm(Collective, Use&& use) {
    auto const consider = [&]<class A>(std::type_identity<A>) {
        if constexpr (implements<A, Collective>) { use(A{}); }
    };
    [&]<class... As>(std::type_identity<std::tuple<As...>>) {
        (consider(std::type_identity<As>{}), ...);
    }(std::type_identity<all_algorithms>{});
}

}  // namespace tutti::catalogue
