// expect: tutti: a plan refers to its operands until it ends; pass a variable, not a temporary
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <tutti/collective/broadcast.hpp>
#include <tutti/communicator/threads.hpp>
#include <vector>

void call(tutti::threads::communicator& world) {
    auto pending = tutti::async::broadcast(world, std::vector<int>(3), 0);
}
