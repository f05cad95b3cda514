// expect: tutti: a plan by arrival_aware needs #include <tutti/arrivals.hpp>
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <tutti/learning/arrival_aware.hpp>

#include "over_threads.hpp"
#if REMEDY == 1
#include <tutti/arrivals.hpp>
#endif

void call(tutti::threads::communicator& world, std::vector<int>& both) {
    auto plan = tutti::plan::all_reduce(world, tutti::inplace(both), std::plus<>{}, tutti::arrival_aware{});
    plan.start();
}
