// expect: tutti: a range that does not lie in memory in one piece (a list, a deque, a lazy view) is one element here; copy its elements to a std::vector first
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <list>

#include "over_threads.hpp"

void call(tutti::threads::communicator& world, std::list<double> const& in, std::list<double>& out) {
#if REMEDY == 1
    std::vector<double> all{in.begin(), in.end()};
    tutti::all_reduce(world, tutti::inplace(all), std::plus<>{});
    out.assign(all.begin(), all.end());
#else
    tutti::all_reduce(world, in, out, std::plus<>{});
#endif
}
