// expect: tutti: the operator cannot be applied to these elements; op(a, b) must take two elements and give one
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include "over_threads.hpp"

void call(tutti::threads::communicator& world, std::vector<int> const& in, std::vector<int>& out) {
#if REMEDY == 1
    tutti::reduce(
        world, in, out, [](int a, int b) { return a + b; }, 0);
#else
    tutti::reduce(world, in, out, [](std::string const& a, std::string const& b) { return a + b; }, 0);
#endif
}
