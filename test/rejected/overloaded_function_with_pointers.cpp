// expect: tutti: the name of several functions, such as std::max, is no operator, since it does not say which; pass tutti::maximum<>{}, tutti::minimum<>{} or a lambda that calls it
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <algorithm>

#include <tutti/operation/minmax.hpp>

#include "over_threads.hpp"

void call(tutti::threads::communicator& world, double const* in, double* out) {
#if REMEDY == 1
    tutti::all_reduce(world, in, 3, out, tutti::maximum<>{});
#else
    tutti::all_reduce(world, in, 3, out, std::max);
#endif
}
