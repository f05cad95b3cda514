// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include "families.hpp"
#include "known_algorithm.hpp"
#include "generators.hpp"

namespace tutti::explore {

family inclusive_scan_family() {
    return make_family(collective::inclusive_scan{}, generators_of(collective::inclusive_scan{}));
}

}  // namespace tutti::explore
