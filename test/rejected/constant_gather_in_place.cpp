// expect: tutti: in and out must hold elements of the same type, and out, or x in inplace(x), must be neither const nor a temporary
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include "over_threads.hpp"

#if REMEDY == 1
void call(tutti::threads::communicator& world, std::vector<int>& both) {
#else
void call(tutti::threads::communicator& world, std::vector<int> const& both) {
#endif
    tutti::gather(world, tutti::inplace(both), 0);
}
