// expect: tutti: elements are copied from rank to rank, so their type must be copyable
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <memory>
#include <vector>

#include <tutti/collective/all_reduce.hpp>
#include <tutti/communicator/threads.hpp>

using element = std::unique_ptr<int>;

void call(tutti::threads::communicator& world, std::vector<element>& both) {
    tutti::all_reduce(world, tutti::inplace(both),
                      [](element const& a, element const& b) { return std::make_unique<int>(*a + *b); });
}
