// expect: tutti: the first argument must be a communicator whose header is included
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include "over_threads.hpp"

#if REMEDY == 1
void call(tutti::threads::communicator& world, std::vector<double> const& in, std::vector<double>& out) {
    tutti::all_reduce(world, in, out, std::plus<>{});
}
#else
void call(std::vector<double> const& in, std::vector<double>& out) { tutti::all_reduce(in, out, std::plus<>{}); }
#endif
