// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <tuple>

#include <tutti/generator/reverse.hpp>

#include "families.hpp"
#include "known_algorithm.hpp"
#include "reduce_generators.hpp"

namespace tutti::explore {

family broadcast_family() {
    auto const reversals = [](auto const&... each) { return std::tuple{reverse(each)...}; };
    return make_family(collective::broadcast{}, std::apply(reversals, reduce_generators()));
}

}  // namespace tutti::explore
