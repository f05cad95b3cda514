// expect: tutti: each element is itself a range and is combined as a whole, which this operator cannot do; pass one that takes two such ranges, or put all numbers into one vector
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include "over_threads.hpp"

#if REMEDY == 1
using rows = std::vector<double>;
#else
using rows = std::vector<std::vector<double>>;
#endif

void call(tutti::threads::communicator& world, rows const& in, rows& out) {
    tutti::all_reduce(world, in, out, std::plus<>{});
}
