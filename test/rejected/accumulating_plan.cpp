// expect: tutti: accumulate_in is for calls that block; for plans, and pending calls, make the elements themselves of the wider type
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <tutti/collective/accumulate_in.hpp>

#include "over_threads.hpp"

void call(tutti::threads::communicator& world, std::vector<float>& both) {
#if REMEDY == 1
    std::vector<double> wider(both.begin(), both.end());
    auto plan = tutti::plan::all_reduce(world, tutti::inplace(wider), std::plus<>{});
#else
    auto plan = tutti::plan::all_reduce(world, tutti::inplace(both), tutti::accumulate_in<double>(std::plus<>{}));
#endif
    plan.start();
    plan.wait();
}
