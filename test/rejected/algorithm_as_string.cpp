// expect: tutti: the last argument is no algorithm, which is an object such as tutti::ring{} of <tutti/generators.hpp>, or of your own type with the functions describe and generate beside it, in its namespace
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <tutti/generators.hpp>

#include "over_threads.hpp"

void call(tutti::threads::communicator& world, std::vector<double> const& in, std::vector<double>& out) {
#if REMEDY == 1
    tutti::all_reduce(world, in, out, std::plus<>{}, tutti::ring{});
#else
    tutti::all_reduce(world, in, out, std::plus<>{}, "ring");
#endif
}
