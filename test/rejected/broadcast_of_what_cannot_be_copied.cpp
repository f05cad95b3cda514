// expect: tutti: elements are copied from rank to rank and assigned, which their type does not allow; it must not be abstract, nor have const or reference members or an explicit copy constructor, and in place of a std::atomic or std::unique_ptr put the value that it holds into the elements, or use std::shared_ptr in threads
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <memory>

#include "over_threads.hpp"

#if REMEDY == 1
void call(tutti::threads::communicator& world, std::vector<int>& both) {
#elif REMEDY == 2
void call(tutti::threads::communicator& world, std::vector<std::shared_ptr<int>>& both) {
#else
void call(tutti::threads::communicator& world, std::vector<std::unique_ptr<int>>& both) {
#endif
    tutti::broadcast(world, both, 0);
}
