// expect: tutti: elements are copied from rank to rank, so their type must be copyable
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <memory>
#include <vector>

#include <tutti/collective/broadcast.hpp>
#include <tutti/communicator/threads.hpp>

void call(tutti::threads::communicator& world, std::vector<std::unique_ptr<int>>& both) {
    tutti::broadcast(world, both, 0);
}
