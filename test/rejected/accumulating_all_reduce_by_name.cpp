// expect: tutti: an all_reduce by accumulate_in takes no algorithm; leave it out, also of a scan_reduce
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <tutti/collective/accumulate_in.hpp>
#include <tutti/generator/ring.hpp>

#include "over_threads.hpp"

void call(tutti::threads::communicator& world, std::vector<float>& both) {
#if REMEDY == 1
    tutti::all_reduce(world, tutti::inplace(both), tutti::accumulate_in<double>(std::plus<>{}));
#else
    tutti::all_reduce(world, tutti::inplace(both), tutti::accumulate_in<double>(std::plus<>{}), tutti::ring{});
#endif
}
