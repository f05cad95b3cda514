// expect: tutti: a plan refers to its operands until it ends; pass a variable, not a temporary
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include "over_threads.hpp"

void call(tutti::threads::communicator& world, std::vector<int>& out) {
#if REMEDY == 1
    int const one = 1;
    auto plan = tutti::plan::all_gather(world, one, out);
#else
    auto plan = tutti::plan::all_gather(world, 1, out);
#endif
}
