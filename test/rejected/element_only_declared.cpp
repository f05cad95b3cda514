// expect: tutti: the type of the elements is only declared here; include what defines it
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include "over_threads.hpp"

#if REMEDY == 1
struct later {
    int value;
};
#else
struct later;
#endif

void call(tutti::threads::communicator& world, later* both) { tutti::broadcast(world, both, 3, 0); }
