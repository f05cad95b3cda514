// expect: tutti: inplace(x) takes the place of both in and out; pass no out with it
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include "over_threads.hpp"

void call(tutti::threads::communicator& world, std::vector<int>& both, std::vector<int>& out) {
#if REMEDY == 1
    tutti::all_gather(world, tutti::inplace(both), std::vector<int>{1, 2});
#elif REMEDY == 2
    tutti::all_gather(world, both, out, std::vector<int>{1, 2});
#else
    tutti::all_gather(world, tutti::inplace(both), out, std::vector<int>{1, 2});
#endif
}
