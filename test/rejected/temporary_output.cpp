// expect: tutti: in and out must hold elements of the same type, and out, or x in inplace(x), must be neither const nor a temporary
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include "over_threads.hpp"

void call(tutti::threads::communicator& world, std::vector<int> const& in) {
#if REMEDY == 1
    std::vector<int> out(8);
    tutti::gather(world, in, out, 0);
#else
    tutti::gather(world, in, std::vector<int>(8), 0);
#endif
}
