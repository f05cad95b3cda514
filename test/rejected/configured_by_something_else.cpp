// expect: tutti: configure takes a communicator whose header is included, and tutti::execution{.check_calls = true} or another of its members, or a tutti::node_map
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <tutti/execution/configure.hpp>

#include "over_threads.hpp"

void call(tutti::threads::communicator& world) {
#if REMEDY == 1
    tutti::configure(world, tutti::execution{.check_calls = true});
#elif REMEDY == 2
    tutti::configure(world, tutti::node_map::of_width(2));
#else
    tutti::configure(world, "check");
#endif
}
