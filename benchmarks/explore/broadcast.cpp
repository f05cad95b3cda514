// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include "families.hpp"
#include "known_algorithm.hpp"
#include "generators.hpp"

namespace tutti::explore {

family broadcast_family() { return make_family(collective::broadcast{}, generators_of(collective::broadcast{})); }

}  // namespace tutti::explore
