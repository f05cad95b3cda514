// expect: tutti: a plan refers to its operands until it ends; pass a variable, not a temporary
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include "over_threads.hpp"

#if REMEDY == 1
void call(tutti::threads::communicator& world) {
    double x = 1.0;
    auto plan = tutti::plan::all_reduce(world, tutti::inplace(x), std::plus<>{});
}
#else
void call(tutti::threads::communicator& world) { auto plan = tutti::plan::all_reduce(world, 1.0, std::plus<>{}); }
#endif
