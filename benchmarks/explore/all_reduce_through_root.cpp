// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <memory>
#include <vector>

#include "families.hpp"
#include "generators.hpp"
#include "known_algorithm.hpp"

namespace tutti::explore {

std::vector<std::unique_ptr<algorithm>> all_reduce_algorithms_through_root() {
    return make_algorithms(collective::all_reduce{}, all_reduces_through_root());
}

}  // namespace tutti::explore
