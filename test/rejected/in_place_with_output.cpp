// expect: tutti: inplace(x) takes the place of both in and out; pass no out with it
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include "over_threads.hpp"

void call(tutti::threads::communicator& world, std::vector<int>& both, std::vector<int>& out) {
#if REMEDY == 1
    tutti::all_reduce(world, tutti::inplace(both), std::plus<>{});
#elif REMEDY == 2
    tutti::all_reduce(world, both, out, std::plus<>{});
#else
    tutti::all_reduce(world, tutti::inplace(both), out, std::plus<>{});
#endif
}
