// expect: tutti: the last argument is no algorithm, which is an object such as tutti::ring{} of <tutti/generators.hpp>, or of your own type with the functions describe and generate beside it, in its namespace
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <tutti/generators.hpp>

#include "over_threads.hpp"

double call(tutti::threads::communicator& world, double mine) {
#if REMEDY == 1
    return tutti::all_reduce(world, mine, std::plus<>{}, tutti::recursive_doubling{});
#else
    return tutti::all_reduce(world, mine, std::plus<>{}, "recursive_doubling");
#endif
}
