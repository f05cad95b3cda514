// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <utility>

#include "generators.hpp"
#include "families.hpp"
#include "known_algorithm.hpp"

namespace tutti::explore {

family all_reduce_family() {
    auto result = make_family(collective::all_reduce{}, all_reduces_in_parts());
    for (auto& each : all_reduce_algorithms_through_root()) { result.algorithms.push_back(std::move(each)); }
    return result;
}

}  // namespace tutti::explore
