// expect: tutti: a plan refers to its operands until it ends; pass a variable, not a temporary
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include "over_threads.hpp"

void call(tutti::threads::communicator& world, std::vector<int>& out) {
#if REMEDY == 1
    std::vector<int> const in(3);
    auto plan = tutti::plan::all_reduce(world, in, out, std::plus<>{});
#else
    auto plan = tutti::plan::all_reduce(world, std::vector<int>(3), out, std::plus<>{});
#endif
}
