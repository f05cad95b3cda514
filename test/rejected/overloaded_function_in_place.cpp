// expect: tutti: the name of several functions, such as std::max, is no operator, since it does not say which; pass tutti::maximum<>{}, tutti::minimum<>{} or a lambda that calls it
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include "over_threads.hpp"

int add(int, int);
double add(double, double);

void call(tutti::threads::communicator& world, std::vector<double>& both) {
#if REMEDY == 1
    tutti::reduce(
        world, tutti::inplace(both), [](double a, double b) { return add(a, b); }, 0);
#else
    tutti::reduce(world, tutti::inplace(both), add, 0);
#endif
}
