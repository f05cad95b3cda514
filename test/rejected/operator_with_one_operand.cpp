// expect: tutti: the operator cannot be applied to these elements; op(a, b) must take two elements and give one
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include "over_threads.hpp"

void call(tutti::threads::communicator& world, std::vector<int>& both) {
#if REMEDY == 1
    tutti::all_reduce(world, tutti::inplace(both), [](int a, int b) { return a + b; });
#else
    tutti::all_reduce(world, tutti::inplace(both), [](int a) { return a; });
#endif
}
