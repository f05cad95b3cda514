// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <tuple>

#include <tutti/generator/all_reduce.hpp>
#include <tutti/generator/reverse.hpp>
#include <tutti/generator/then.hpp>

#include "families.hpp"
#include "known_algorithm.hpp"
#include "reduce_generators.hpp"

namespace tutti::explore {

family all_reduce_family() {
    auto const own = std::tuple{
        recursive_doubling{},
        ring{},
    };
    auto const both_ways = [](auto const&... each) { return std::tuple{then(each, reverse(each))...}; };
    return make_family(collective::all_reduce{}, std::tuple_cat(own, std::apply(both_ways, reduce_generators())));
}

}  // namespace tutti::explore
