// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <tuple>

#include <tutti/selection/algorithm.hpp>

#include "families.hpp"
#include "known_algorithm.hpp"
#include "reduce_generators.hpp"

namespace tutti::explore {

family broadcast_family() {
    auto const following = [](auto const&... each) {
        return std::tuple{algorithm_for(collective::broadcast{}, each)...};
    };
    return make_family(collective::broadcast{}, std::apply(following, reduce_generators()));
}

}  // namespace tutti::explore
