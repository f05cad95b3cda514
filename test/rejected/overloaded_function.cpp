// expect: tutti: the name of several functions, such as std::max, is no operator, since it does not say which; pass tutti::maximum<>{}, tutti::minimum<>{} or a lambda that calls it
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <algorithm>

#include <tutti/operation/minmax.hpp>

#include "over_threads.hpp"

void call(tutti::threads::communicator& world, std::vector<double> const& in, std::vector<double>& out) {
#if REMEDY == 1
    tutti::all_reduce(world, in, out, tutti::maximum<>{});
#elif REMEDY == 2
    tutti::all_reduce(world, in, out, tutti::minimum<>{});
#elif REMEDY == 3
    tutti::all_reduce(world, in, out, [](double a, double b) { return std::max(a, b); });
#else
    tutti::all_reduce(world, in, out, std::max);
#endif
}
