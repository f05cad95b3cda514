// expect: tutti: the root follows the operator: reduce(world, in, out, op, root)
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include "over_threads.hpp"

#if REMEDY == 1
void call(tutti::threads::communicator& world) { tutti::reduce(world, 1.0, std::plus<>{}, 0); }
#else
void call(tutti::threads::communicator& world) { tutti::reduce(world, 1.0, 0, std::plus<>{}); }
#endif
