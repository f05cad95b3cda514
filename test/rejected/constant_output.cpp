// expect: tutti: in and out must hold elements of the same type, and out, or x in inplace(x), must be neither const nor a temporary
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include "over_threads.hpp"

#if REMEDY == 1
void call(tutti::threads::communicator& world, std::vector<int> const& in, std::vector<int>& out) {
#else
void call(tutti::threads::communicator& world, std::vector<int> const& in, std::vector<int> const& out) {
#endif
    tutti::reduce(world, in, out, std::plus<>{}, 0);
}
