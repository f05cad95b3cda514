// expect: tutti: elements are copied from rank to rank and assigned, which their type does not allow; it must not be abstract, nor have const or reference members or an explicit copy constructor, and in place of a std::atomic or std::unique_ptr put the value that it holds into the elements, or use std::shared_ptr in threads
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include "over_threads.hpp"

struct numbered {
#if REMEDY == 1
    int id;
#else
    int const id;
#endif
};

void call(tutti::threads::communicator& world, std::vector<numbered>& both) { tutti::broadcast(world, both, 0); }
