// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <tuple>

#include <tutti/selection/algorithm.hpp>

#include "all_reduce_generators.hpp"
#include "families.hpp"
#include "known_algorithm.hpp"
#include "reduce_generators.hpp"

namespace tutti::explore {

family all_reduce_family() {
    auto const following = [](auto const&... each) {
        return std::tuple{algorithm_for(collective::all_reduce{}, each)...};
    };
    return make_family(collective::all_reduce{},
                       std::tuple_cat(all_reduce_generators(), std::apply(following, reduce_generators())));
}

}  // namespace tutti::explore
