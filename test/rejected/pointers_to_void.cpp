// expect: tutti: a pointer to void does not say what its elements are; write tutti::inplace(x), and no out, for MPI_IN_PLACE, and cast other pointers to their elements' type
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include "over_threads.hpp"

void call(tutti::threads::communicator& world, void const* in, void* out) {
#if REMEDY == 1
    tutti::all_reduce(world, static_cast<int const*>(in), 3, static_cast<int*>(out), std::plus<>{});
#else
    tutti::all_reduce(world, in, 3, out, std::plus<>{});
#endif
}
