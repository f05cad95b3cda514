// expect: tutti: the operator is missing, or not in its place: it follows in and out, as std::plus<>{} in all_reduce(world, in, out, std::plus<>{})
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include "over_threads.hpp"

void call(tutti::threads::communicator& world, std::vector<double>& both) {
#if REMEDY == 1
    tutti::all_reduce(world, tutti::inplace(both), std::plus<>{});
#else
    tutti::all_reduce(world, tutti::inplace(both));
#endif
}
