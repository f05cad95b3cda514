// expect: tutti: elements must not be volatile; pass a variable that is not, with their value
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include "over_threads.hpp"

void call(tutti::threads::communicator& world, int volatile& both) {
#if REMEDY == 1
    int value = both;
    tutti::all_reduce(world, tutti::inplace(value), std::plus<>{});
#else
    tutti::all_reduce(world, tutti::inplace(both), std::plus<>{});
#endif
}
