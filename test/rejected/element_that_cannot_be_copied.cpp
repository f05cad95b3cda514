// expect: tutti: elements are copied from rank to rank and assigned, which their type does not allow; it must not be abstract, nor have const or reference members or an explicit copy constructor, and in place of a std::atomic or std::unique_ptr put the value that it holds into the elements, or use std::shared_ptr in threads
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <memory>

#include "over_threads.hpp"

#if REMEDY == 1
using element = std::shared_ptr<int>;
#else
using element = std::unique_ptr<int>;
#endif

void call(tutti::threads::communicator& world, std::vector<element>& both) {
    tutti::all_reduce(world, tutti::inplace(both),
                      [](element const& a, element const& b) { return std::make_unique<int>(*a + *b); });
}
