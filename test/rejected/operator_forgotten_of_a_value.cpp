// expect: tutti: the operator is missing, or not in its place: it follows in and out, as std::plus<>{} in all_reduce(world, in, out, std::plus<>{})
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include "over_threads.hpp"

#if REMEDY == 1
double call(tutti::threads::communicator& world) { return tutti::all_reduce(world, 1.0, std::plus<>{}); }
#else
double call(tutti::threads::communicator& world) { return tutti::all_reduce(world, 1.0); }
#endif
