// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include "families.hpp"
#include "known_algorithm.hpp"
#include "generators.hpp"

namespace tutti::explore {

family reduce_scatter_family() {
    return make_family(collective::reduce_scatter{}, generators_of(collective::reduce_scatter{}));
}

}  // namespace tutti::explore
