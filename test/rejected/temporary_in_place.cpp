// expect: tutti: in and out must hold elements of the same type, and out, or x in inplace(x), must be neither const nor a temporary
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include "over_threads.hpp"

void call(tutti::threads::communicator& world) {
#if REMEDY == 1
    std::vector<int> both(3);
    tutti::all_reduce(world, tutti::inplace(both), std::plus<>{});
#else
    tutti::all_reduce(world, tutti::inplace(std::vector<int>(3)), std::plus<>{});
#endif
}
