// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include "families.hpp"
#include "known_algorithm.hpp"
#include "generators.hpp"

namespace tutti::explore {

family all_gather_family() { return make_family(collective::all_gather{}, generators_of(collective::all_gather{})); }

}  // namespace tutti::explore
