// expect: tutti: no such call; there are scatter(world, in, out, root)
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include "over_threads.hpp"

void call(tutti::threads::communicator& world, std::vector<double> const& in, std::vector<double>& out) {
#if REMEDY == 1
    tutti::scatter(world, in, out, std::vector<int>{1, 2}, 0);
#else
    tutti::scatter(world, in, out, std::vector<double>{1, 2}, 0);
#endif
}
