// expect: tutti: how many elements this array has is not known here; pass &x[0] and a count
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include "over_threads.hpp"

extern int in[];
extern int out[];

void call(tutti::threads::communicator& world) {
#if REMEDY == 1
    tutti::all_reduce(world, &in[0], 3, &out[0], std::plus<>{});
#else
    tutti::all_reduce(world, in, out, std::plus<>{});
#endif
}
