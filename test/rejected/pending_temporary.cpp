// expect: tutti: a plan refers to its operands until it ends; pass a variable, not a temporary
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include "over_threads.hpp"

void call(tutti::threads::communicator& world) {
#if REMEDY == 1
    std::vector<int> both(3);
    auto pending = tutti::async::broadcast(world, both, 0);
#else
    auto pending = tutti::async::broadcast(world, std::vector<int>(3), 0);
#endif
}
