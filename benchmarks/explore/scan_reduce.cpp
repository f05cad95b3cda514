// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include "families.hpp"
#include "known_algorithm.hpp"
#include "generators.hpp"

namespace tutti::explore {

family scan_reduce_family() { return make_family(collective::scan_reduce{}, generators_of(collective::scan_reduce{})); }

}  // namespace tutti::explore
