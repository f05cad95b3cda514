// expect: tutti: elements are copied from rank to rank and assigned, which their type does not allow; it must not be abstract, nor have const or reference members or an explicit copy constructor, and in place of a std::atomic or std::unique_ptr put the value that it holds into the elements, or use std::shared_ptr in threads
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <atomic>

#include "over_threads.hpp"

int call(tutti::threads::communicator& world, std::atomic<int>& x) {
#if REMEDY == 1
    return tutti::all_reduce(world, x.load(), std::plus<>{});
#else
    return tutti::all_reduce(world, x, std::plus<>{});
#endif
}
